"""The mobile pages: thin views over the table room, served locally, no rule and no pixel decided here."""
