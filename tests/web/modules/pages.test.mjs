/** Tests of the pages for comparing and grading without a document. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { itemAbout, openPage } from "./page.mjs";

const { ComparePage } = await import("./compare_page.js");
const { Comparing } = await import("./comparing.js");
const { GradePage } = await import("./grade_page.js");
const { Log } = await import("./log.js");
const { App } = await import("./main.js");
const { memoryStorage } = await import("./storage.js");

const pair = (documents) => ({ ...itemAbout(documents[0]), type: "pair", documents });

async function undoOn(loaded) {
  const task = { items: [{ about: pair(loaded), topic: 0, documents: [0, 1] }], mode: "pairs", settings: {}, rules: { reasons: [] } };
  const log = new Log("a", memoryStorage());
  const answer = { winner: "left", strength: 1, reasons: ["fresher"], note: "a is newer" };
  await log.append(() => log.make("preference", pair(["a", "b"]), answer));
  const session = new Comparing(task, log);
  const shown = [];
  const page = {
    session,
    app: { keys: { cap: () => "" } },
    message: { hint: () => {} },
    workspace: {
      commit: async (make, then) => {
        await log.append(make);
        then(log.actions[log.actions.length - 1]);
      },
    },
    show: (place) => shown.push(task.items[place].about.documents.join("")),
    showAnswer: (reasons, note) => shown.push([reasons, note]),
  };
  ComparePage.prototype.take.call(page, () => session.undo(), "{action}", "redo");
  await new Promise((resolve) => setTimeout(resolve, 10));
  return shown;
}

test("reasons and note of an undone comparison are shown with this comparison only", async () => {
  assert.deepEqual(await undoOn(["a", "b"]), ["ab", [["fresher"], "a is newer"]]);
  assert.deepEqual(await undoOn(["c", "d"]), ["cd"]);
});

test("the waiting page is drawn again when other buttons are available", async () => {
  for (const Page of [GradePage, ComparePage]) {
    const { page, server } = await openPage(["a"]);
    await page.log.append(() => page.session.grade(0, 1, 1000));
    page.served.hear({ state: "ended", message: "", aside: false, round: null, server: "s", number: 9 });
    const drawn = [];
    const resting = { childElementCount: 0, dataset: {}, textContent: "" };
    const view = {
      app: { served: page.served },
      session: page.session,
      task: page.task,
      resting,
      canUndo: false,
      showProgress: () => {},
      showPage: (_page, shows) => {
        Object.assign(resting, { childElementCount: 1, textContent: page.served.rest().title + page.served.rest().words });
        resting.dataset.shows = shows;
        drawn.push(page.served.ways.map(({ label }) => label));
      },
    };
    Page.prototype.showWaiting.call(view);
    Page.prototype.showWaiting.call(view);
    server.isDown = true;
    page.served.cut = true;
    Page.prototype.showWaiting.call(view);
    assert.deepEqual(drawn, [[], ["Save this work to a file"]]);
  }
});

test("without storage, unsent judgments stay when the tab becomes the active one again", async () => {
  const { page } = await openPage(["a"]);
  await page.log.append(() => page.session.grade(0, 1, 1000));
  await App.prototype.takeOver.call({ log: page.log, setReading: () => {}, restart: () => {} });
  assert.equal(page.log.unsent, 1);
});

test("topics that a session assigns in turn have no summary before they are done", async () => {
  for (const mixed of [true, false]) {
    const { page } = await openPage(["a", "b", "c", "d"], { mixed });
    const { task } = page;
    task.items.forEach((item, place) => Object.assign(item, { topic: place < 2 ? 0 : 1 }));
    page.session = new (await import("./grading.js")).Grading(task, page.log);
    const shown = [];
    const view = {
      ready: () => page.session.current(),
      keepUnkept: () => {},
      workspace: { active: { stop: () => 1 }, commit: (make, then) => page.log.append(make).then(then) },
      task,
      session: page.session,
      left: GradePage.prototype.left,
      saySaved: () => {},
      message: { add: () => {} },
      agreed: () => "",
      rest: () => shown.push("summary"),
      show: () => shown.push("document"),
    };
    for (const place of [0, 1]) {
      page.session.at = place;
      GradePage.prototype.judge.call(view, (at, ms) => page.session.grade(at, 1, ms), "");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(shown, ["document", mixed ? "document" : "summary"]);
  }
});

test("ticked reasons and a typed note stay when the page is built again", () => {
  const item = { about: pair(["a", "b"]), topic: 0, documents: [0, 1] };
  const task = { items: [item], mode: "pairs", settings: {}, rules: { reasons: [] } };
  const session = new Comparing(task, new Log("a", memoryStorage()));
  const makePage = (boxes, value) => {
    const page = Object.create(ComparePage.prototype);
    return Object.assign(page, { session, workspace: { shown: 0 }, boxes, note: { value }, begun: new Map() });
  };
  const earlier = makePage([{ input: { value: "fresher", checked: true } }], "a is newer");
  const later = makePage([], "");
  const app = {
    page: earlier,
    newSession: () => session,
    newPage: () => later,
    start: () => {},
    setReading: () => {},
    looks: { get: () => ({}) },
  };
  App.prototype.restart.call(app);
  assert.deepEqual([...later.begun.values()], [{ reasons: ["fresher"], note: "a is newer" }]);
});
