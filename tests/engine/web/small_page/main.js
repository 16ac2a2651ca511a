/** A page as small as a page can be. */
import { greeting } from "./greeting.js";

export function start() {
  document.body.append(greeting);
}

start();
