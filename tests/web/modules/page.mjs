/** A page of a session in Node, without a document; its server is an object in memory. */

const nothing = () => {};

/** Element that accepts everything and remembers its text. */
class Element {
  constructor() {
    this.dataset = {};
    this.style = {};
    this.classList = { toggle: nothing, add: nothing, remove: nothing, contains: () => false };
    this.hidden = false;
    this.textContent = "";
  }

  append() {}

  remove() {}

  setAttribute() {}

  removeAttribute() {}

  addEventListener() {}

  replaceChildren() {}

  querySelector() {
    return null;
  }

  click() {}
}

const files = [];
Object.assign(globalThis, { Element, HTMLElement: Element, HTMLScriptElement: Element, Text: class {}, NodeFilter: {}, Node: Element });
const tables = new Element();
tables.textContent = JSON.stringify({ keys: [], left: {}, arrows: {}, moving: [], editing: [], pace: { needs: 10, of: 30 } });
globalThis.document = {
  getElementById: (id) => (id === "tables" ? tables : null),
  createElement: () => new Element(),
  addEventListener: nothing,
  querySelector: () => null,
  querySelectorAll: () => [],
  documentElement: new Element(),
  body: new Element(),
};
globalThis.addEventListener = nothing;
globalThis.matchMedia = () => ({ matches: false, addEventListener: nothing });
globalThis.location = { hash: "", search: "", pathname: "/" };
URL.createObjectURL = (file) => files.push(file) && "blob:";
URL.revokeObjectURL = nothing;
const setTimer = globalThis.setTimeout;
globalThis.setTimeout = (call, wait) => {
  const timer = setTimer(call, wait);
  timer.unref?.(); // so that timers of the page do not keep the test running
  return wait < 100 ? setTimer(nothing, wait) && timer : timer;
};

const { ProgressCard } = await import("./card_parts.js");
const { Grading } = await import("./grading.js");
const { Log } = await import("./log.js");
const { Served } = await import("./served.js");
const { memoryStorage } = await import("./storage.js");
const { keyOf } = await import("./task.js");

export const itemAbout = (document) => ({ type: "document", topic: "9", documents: [document], contents: [document], occurrence: 1 });

/** Server of a session with one participant, to whom all documents are assigned. */
class FakeServer {
  constructor(documents) {
    this.documents = documents;
    this.actions = [];
    this.isDown = false;
    this.maxActions = Infinity;
    this.more = false;
    this.share = 0;
    this.complete = "";
    this.code = "";
  }

  copy() {
    return { documents: [...this.documents], actions: [...this.actions] };
  }

  answer(path, { client, actions, has, open }) {
    if (path === "/welcome") {
      return { actions: this.actions };
    }
    const last = () => Math.max(0, ...this.actions.filter((action) => action.client === client).map(({ number }) => number));
    let refused = null;
    for (const action of actions) {
      if (!this.documents.includes(action.item.documents[0])) {
        refused = { number: action.number, problem: "the item was not assigned to you" };
        break;
      }
      if (action.number === last() + 1) {
        this.actions.push(action);
      }
    }
    const judged = this.actions.filter(({ kind }) => kind === "grade").length;
    const isJudged = (document) => this.actions.some(({ kind, item }) => kind === "grade" && item.documents[0] === document);
    const items = this.documents
      .map((document, place) => ({ place, parts: partsOf(document), document }))
      .slice(has)
      .filter(({ document }) => !open || !isJudged(document));
    const news = { state: "open", message: "", aside: false, round: null, server: "s", number: 1 };
    const held = this.documents.map((_document, place) => place).filter((place) => !isJudged(this.documents[place]));
    const completion = { complete: this.complete, code: this.code, share: this.share };
    const counts = { acknowledged: last(), count: this.actions.length, own: judged, judged, wanted: 100, late: 0 };
    return { ...news, ...completion, ...counts, refused, items, lost: [], held, places: this.documents.length, more: this.more };
  }
}

const partsOf = (document) => ({
  topics: [{ id: "9" }],
  contents: [{ digest: document }],
  documents: [{ id: document, content: 0 }],
  items: [{ about: itemAbout(document), topic: 0, documents: [0] }],
  views: {},
});

/**
 * Open the page of a participant.
 * @param {string[]} documents that are assigned
 * @param {object} [head] properties of the task
 * @param {object[]} [actions] that the server already has
 */
export async function openPage(documents, head = {}, actions = []) {
  const server = new FakeServer(documents);
  server.actions = [...actions];
  globalThis.fetch = async (path, { body }) => {
    const request = JSON.parse(body);
    if (server.isDown || (request.actions ?? []).length > server.maxActions) {
      throw new Error("no response");
    }
    return new Response(JSON.stringify(server.answer(path, request)));
  };
  const lists = { topics: [], contents: [], documents: [], items: [], views: {} };
  const scale = { version: "1", grades: [] };
  const task = { assignment: "a", assessor: "ann", mode: "grade", settings: { several: 0 }, scale, served: true, ...lists, ...head };
  const log = new Log("a", memoryStorage());
  const served = new Served(task, log, "token");
  const page = { task, log, served, session: new Grading(task, log), refusals: [] };
  served.open = () => task.items.some((_item, place) => page.session.isLeft(place));
  served.judged = () => task.items.filter(({ about }) => log.ledger.judgment(keyOf(about))).length;
  served.onUpdate = (fresh) => fresh && page.session.grow();
  served.onReset = () => {
    page.session = new Grading(task, log);
  };
  served.onRefused = (words) => page.refusals.push(words);
  files.length = 0;
  await served.begin(actions);
  await served.exchange();
  return { page, server, files };
}

/** Judge the next documents, and send each judgment. */
export async function judge(page, count, activeMs = 1000) {
  for (let judged = 0; judged < count; judged += 1) {
    const place = page.session.advance();
    await page.log.append(() => page.session.grade(place, 1, activeMs));
    await page.served.exchange();
  }
}

/** Return the words about the time left. */
export function secondsOf(page) {
  const card = new ProgressCard(["You", "Everyone"], { cap: () => "", aria: () => "", actions: new Map() }, nothing);
  card.links.enable = nothing;
  card.show(page.session, page.served.counts);
  return card.pace.textContent;
}
