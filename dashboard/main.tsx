import { render } from "preact";
import { App } from "./app/app.tsx";
import { keepConnected } from "./live/live-connection.ts";

const page = document.getElementById("page");
if (page !== null) {
  void keepConnected();
  render(<App />, page);
}
