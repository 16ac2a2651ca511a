/** Tests of the synchronisation with a session's server, which is replaced by a function. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, openPage, secondsOf } from "./page.mjs";

test("after the server continued from an older copy, its items replace those of the page", async () => {
  const { page, server } = await openPage(["a", "b", "c", "d", "e"]);
  await judge(page, 2);
  const copy = server.copy();
  await judge(page, 2);
  assert.equal(page.log.unsent, 0);
  Object.assign(server, copy, { documents: ["a", "b", "x", "y"] });
  for (let count = 0; count < 5; count += 1) {
    await page.served.exchange();
  }
  assert.deepEqual(page.task.items.map(({ about }) => about.documents[0]).sort(), ["a", "b", "x", "y"]);
  assert.equal(page.refusals.length, 2); // of c and d
  assert.equal(page.log.unsent, 0);
});

test("judgments that a server with an older copy refuses are kept for a file", async () => {
  const { page, server, files } = await openPage(["a", "b", "c", "d"]);
  await judge(page, 1);
  const copy = server.copy();
  await judge(page, 2);
  Object.assign(server, copy, { documents: ["a", "x"] });
  for (let count = 0; count < 5; count += 1) {
    await page.served.exchange();
  }
  assert.match(page.served.rest().words, /Not accepted: 2/);
  page.served.ways.find(({ label }) => label.startsWith("Save")).call();
  const saved = JSON.parse(await files[0].text());
  const documents = saved.actions.map(([, text]) => JSON.parse(text).item.documents[0]);
  assert.deepEqual(documents, ["a", "b", "c"]);
});

test("a page that was opened again also detects that the server lost judgments", async () => {
  const { page, server } = await openPage(["a", "b", "c", "d"]);
  await judge(page, 1);
  const copy = server.copy();
  await judge(page, 2);
  page.log.begin(); // the client of the opened page has no actions
  Object.assign(server, copy);
  await page.served.exchange();
  await page.served.exchange();
  assert.equal(server.actions.length, 3);
});

test("a rejected judgment is not kept if the server lost nothing", async () => {
  const { page, server } = await openPage(["a", "b"]);
  server.documents = ["a", "x"];
  await judge(page, 2);
  assert.equal(page.refusals.length, 1);
  assert.doesNotMatch(page.served.rest().words, /Not accepted/);
});

test("the completion code and link stay after the connection is lost", async () => {
  const { page, server } = await openPage(["a"]);
  await judge(page, 1);
  Object.assign(server, { complete: "https://panel.example/", code: "C0DE" });
  await page.served.exchange();
  server.isDown = true;
  await page.served.run();
  clearTimeout(page.served.timer);
  assert.equal(page.served.cut, true);
  assert.equal(page.served.rest().title, "Thank you");
  assert.deepEqual(
    page.served.ways.map(({ label }) => label),
    ["Complete the submission"],
  );
  assert.equal(page.served.completion, "https://panel.example/");
  await page.log.append(() => page.session.undo());
  assert.equal(page.served.completion, "", "undone work completes nothing");
});

test("a request that the network is too slow for is divided", async () => {
  const { page, server } = await openPage(["a", "b", "c", "d"]);
  for (let count = 0; count < 40; count += 1) {
    await page.log.append(() => page.session.note(0, `note ${count}`));
  }
  server.maxActions = 12; // more do not arrive within the page's patience
  for (let count = 0; count < 12 && page.log.unsent; count += 1) {
    await page.served.run();
    clearTimeout(page.served.timer);
  }
  assert.equal(page.log.unsent, 0);
});

test("while items are still to be received, the page does not say that all are assigned to others", async () => {
  const { page, server } = await openPage([]);
  server.more = true;
  await page.served.exchange();
  assert.equal(page.served.rest().title, "One moment");
  server.more = false;
  await page.served.exchange();
  assert.equal(page.served.rest().title, "Nothing to judge at the moment");
});

test("the time left is shown only for a fixed share, since the page has only the next items", async () => {
  const { page, server } = await openPage(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]);
  await judge(page, 10, 20_000);
  assert.equal(secondsOf(page), "");
  server.share = 40;
  await page.served.exchange();
  assert.equal(secondsOf(page), "about 10 min left at your pace"); // 30 documents of 20 seconds
});

test("a participant whom an older copy does not know can save the work to a file", async () => {
  const { page } = await openPage(["a"]);
  await judge(page, 1);
  page.served.failed(new (await import("./line.js")).Refusal("token", "You no longer have access."));
  clearTimeout(page.served.timer);
  assert.equal(page.log.unsent, 0);
  assert.deepEqual(
    page.served.ways.map(({ label }) => label),
    ["Save this work to a file"],
  );
});

test("a page that is opened again receives the documents to judge before the judged ones", async () => {
  const documents = ["a", "b", "c", "d"];
  const earlier = await openPage(documents);
  await judge(earlier.page, 2);
  const { page } = await openPage(documents, {}, earlier.page.log.actions);
  const shown = () => page.task.items.map(({ about }) => about.documents[0]);
  assert.deepEqual(shown(), ["c", "d"]);
  await page.served.exchange();
  assert.deepEqual(shown(), ["c", "d", "a", "b"]);
  assert.equal(page.session.lastJudged() === null, false);
  assert.deepEqual(page.served.counts[0], { judged: 2, assigned: 0 });
});
