"""The network: three times half the size, back up once, then 4 x 4 spots from each; and its ONNX file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from jax import lax
from numpy.random import Generator
from onnx import TensorProto, helper, numpy_helper

Weights = dict[str, Any]

# Name, kernel, channels in and out, stride, dilation; `up` is laid over what `third` gave.
LAYERS = (
    ("first", 3, 10, 16, 2, 1),
    ("second", 3, 16, 32, 2, 1),
    ("third", 3, 32, 32, 1, 1),
    ("fourth", 3, 32, 48, 2, 1),
    ("fifth", 3, 48, 48, 1, 1),
    ("sixth", 3, 48, 48, 1, 2),
    ("up", 1, 48, 32, 1, 1),
    ("seventh", 3, 32, 32, 1, 1),
    ("told", 1, 32, 48, 1, 1),
)


def fresh(rng: Generator) -> Weights:
    weights: Weights = {}
    for name, kernel, given, made, _, _ in LAYERS:
        spread = np.sqrt(2 / (kernel * kernel * given)) * (0.3 if name == "told" else 1.0)
        weights[name] = rng.normal(0, spread, (kernel, kernel, given, made)).astype(np.float32)
        weights[f"{name}/bias"] = np.zeros(made, np.float32)
    return weights


def told(weights: Weights, pictures: Any) -> Any:
    """n x rows x columns x 10 -> n x rows x columns x 3, sides being multiples of 8."""
    kept = now = pictures
    for name, kernel, _, _, stride, dilation in LAYERS:
        pad = dilation * (kernel // 2)
        now = lax.conv_general_dilated(
            now, weights[name], (stride, stride), ((pad, pad), (pad, pad)), rhs_dilation=(dilation, dilation),
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        ) + weights[f"{name}/bias"]  # fmt: skip
        if name == "up":
            now = jax.nn.relu(jnp.repeat(jnp.repeat(now, 2, 1), 2, 2) + kept)
        elif name != "told":
            now = jax.nn.relu(now)
        if name == "third":
            kept = now
    count, rows, columns, _ = now.shape
    spots = now.reshape(count, rows, columns, 4, 4, 3).transpose(0, 1, 3, 2, 4, 5)
    return spots.reshape(count, 4 * rows, 4 * columns, 3)


def loss(weights: Weights, pictures: Any, shown: Any, counts: Any) -> Any:
    said = jax.nn.log_softmax(told(weights, pictures))
    off = -jnp.take_along_axis(said, shown[..., None], -1)[..., 0]
    return (off * counts).sum() / (counts.sum() + 1)


def write(weights: Weights, path: Path) -> None:
    """The same for OpenCV."""
    nodes, constants, now = [], [], "picture"
    for name, kernel, _, _, stride, dilation in LAYERS:
        kernels = np.transpose(weights[name], (3, 2, 0, 1))
        for part, value in (("", kernels), ("/bias", weights[f"{name}/bias"])):
            constants.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name + part))
        pads = [dilation * (kernel // 2)] * 4
        nodes.append(
            helper.make_node(
                "Conv", [now, name, f"{name}/bias"], [f"{name}/sum"], kernel_shape=[kernel] * 2,
                strides=[stride] * 2, dilations=[dilation] * 2, pads=pads,
            )
        )  # fmt: skip
        now = f"{name}/sum"
        if name == "up":
            constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"))
            nodes.append(
                helper.make_node(
                    "Resize", [now, "", "twice"], ["up/large"], mode="nearest", nearest_mode="floor",
                    coordinate_transformation_mode="asymmetric",
                )
            )  # fmt: skip
            nodes.append(helper.make_node("Add", ["up/large", "third/out"], ["up/both"]))
            now = "up/both"
        if name != "told":
            nodes.append(helper.make_node("Relu", [now], [f"{name}/out"]))
            now = f"{name}/out"
    shapes = [1, 10, 8, 8], [1, 48, 2, 2]
    ends = [
        helper.make_tensor_value_info(end, TensorProto.FLOAT, shape)
        for end, shape in zip(("picture", now), shapes, strict=True)
    ]
    graph = helper.make_graph(nodes, "covered", ends[:1], ends[1:], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))
