// What every page does: listens to the table, sends forms without leaving the page, opens sheets.
import { listen } from "./live.js";
import { sendForms } from "./forms.js";
import { openSheets } from "./sheet.js";
import { keepAwake } from "./awake.js";

openSheets();
sendForms();
listen();
keepAwake();
