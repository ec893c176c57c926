console.log("The MCP conformance suite runs against a server, and comes with the server door. Nothing to run yet.");
