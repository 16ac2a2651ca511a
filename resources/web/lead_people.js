/** Table of participants: progress, quality and controls. */

import { openDialog } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { copyText, drawn } from "./lead_cards.js";
import { fill, tr } from "./words.js";

/** @import { Leader } from "./lead.js" */
/** @import { Seat, Standing } from "./lead_cards.js" */
/** @import { Choice } from "./dialogs.js" */

/** @typedef {{ gold: [number, number], agreement: number | null }} Quality */
/** @typedef {{ seat: Seat, root: HTMLElement, name: HTMLElement, cells: HTMLElement[], what: HTMLElement }} Line */

/** Table of participants, most judgments first, with a search field. */
export class PeopleCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Record<string, Quality>} */
    this.quality = {};
    this.share = 0;
    this.by = "judged";
    this.down = true;
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    this.order = "";
    this.find = el("input", { type: "search", "aria-label": tr("Find a participant"), placeholder: tr("Find a participant") });
    this.find.addEventListener("input", () => this.draw());
    this.body = el("tbody");
    this.heads = columns().map((column) =>
      el(
        "th",
        { scope: "col", class: column.wide ? "wide-only" : "" },
        button(column.title, () => this.sort(column.name), { class: "link", title: column.help }),
      ),
    );
    const head = el("thead", {}, el("tr", {}, ...this.heads, el("th", { scope: "col" }, el("span", { class: "spoken" }, tr("Actions")))));
    this.free = button(tr("Free unused seats"), () =>
      leader.do("free-empty", {}, ({ count }) => fill(tr("Seats freed: {count}."), { count })),
    );
    this.count = el("h2", { class: "grow" });
    this.nobody = el("p", { class: "quiet" }, tr("Nobody has joined yet. Show the code, or send the link."));
    this.root = el(
      "section",
      { class: "card lead-people" },
      el("div", { class: "row wrap" }, this.count, this.find, this.free),
      el(
        "div",
        { class: "lead-table", tabindex: 0, role: "region", "aria-label": tr("Participants") },
        el("table", { class: "review" }, head, this.body),
      ),
      this.nobody,
    );
  }

  /** Request the quality, which takes longer than the status. */
  async lookClosely() {
    this.quality = (await this.leader.request("quality")).people;
    this.draw();
  }

  /** @param {Standing} standing */
  show({ state, people, share }) {
    this.seats = state === "ended" ? people.map((seat) => ({ ...seat, here: null })) : people;
    reveal(this.free, state !== "ended");
    this.share = share;
    setText(this.count, fill(tr("Participants: {people}"), { people: people.length }));
    reveal(this.nobody, !people.length);
    this.draw();
  }

  /** @param {string} name sorts by a column; the same column again reverses the order */
  sort(name) {
    this.down = name === this.by ? !this.down : name !== "name";
    this.by = name;
    this.draw();
  }

  draw() {
    const all = columns();
    const by = all.find(({ name }) => name === this.by) ?? all[0];
    const query = this.find.value.trim().toLowerCase();
    const matches = this.seats.filter((seat) => `${seat.name} ${seat.id}`.toLowerCase().includes(query));
    const sortable = matches.map((seat) => ({ seat, key: by.key(seat, this.quality[seat.id]) }));
    sortable.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (this.down ? -1 : 1));
    this.heads.forEach((head, place) => {
      const isSorted = all[place].name === this.by;
      head.setAttribute("aria-sort", isSorted ? (this.down ? "descending" : "ascending") : "none");
    });
    const lines = sortable.map(({ seat }) => this.line(seat, all));
    this.showColumns(all);
    const order = JSON.stringify(sortable.map(({ seat }) => seat.id));
    if (order !== this.order && !this.body.contains(document.activeElement)) {
      this.order = order; // rows do not move while a button is used
      this.body.replaceChildren(...lines);
    }
  }

  /** @param {Column[]} all hides columns that are empty for every participant */
  showColumns(all) {
    all.forEach((column, place) => {
      const hasText = this.seats.some((seat) => column.words(seat, this.quality[seat.id], this.share));
      const isUsed = hasText || !(column.wide || this.seats.length);
      reveal(this.heads[place], isUsed);
      for (const { cells } of this.lines.values()) {
        if (place) {
          reveal(cells[place - 1], isUsed);
        }
      }
    });
  }

  /** @param {Seat} seat @param {Column[]} all @returns {HTMLElement} row of a participant */
  line(seat, all) {
    const line = this.lines.get(seat.id) ?? this.newLine(seat, all);
    line.seat = seat;
    line.root.classList.toggle("quiet", seat.aside);
    setText(line.name, seat.name || seat.id);
    line.what.setAttribute("aria-label", fill(tr("Actions for {seat}"), { seat: seat.name || seat.id }));
    line.cells.forEach((cell, place) => setText(cell, all[place + 1].words(seat, this.quality[seat.id], this.share)));
    return line.root;
  }

  /** @param {Seat} seat @param {Column[]} all @returns {Line} */
  newLine(seat, all) {
    const name = el("bdi");
    const cells = all.slice(1).map((column) => el("td", { class: column.wide ? "wide-only" : "" }));
    const menuButton = button("⋯", () => this.choose(line.seat));
    const root = el("tr", {}, el("th", { scope: "row" }, name), ...cells, el("td", {}, menuButton));
    const line = { seat, root, name, cells, what: menuButton };
    this.lines.set(seat.id, line);
    return line;
  }

  /** @param {Seat} seat opens the controls of a participant */
  choose(seat) {
    const person = seat.id;
    const done = () => tr("Done.");
    const plain = (/** @type {string} */ label, /** @type {string} */ command) => ({
      label,
      call: () => this.leader.do(command, { person }, done),
    });
    const acts = /** @type {Choice[]} */ ([
      { label: tr("Readmit with a new link"), call: () => this.letIn(seat) },
      plain(tr("Revoke the link: it stops working, judgments stay"), "revoke"),
      {
        label: tr("Release their documents: others can get them at once"),
        call: () => this.leader.do("release", { person }, ({ count }) => fill(tr("Documents released: {count}."), { count })),
      },
      seat.aside
        ? plain(tr("Include again"), "back")
        : plain(tr("Exclude: the judgments are not used, and others get the documents"), "aside"),
      ...(seat.aside || !(seat.judged || seat.norming_count || seat.late)
        ? [plain(tr("Free the seat: the name can be used again"), "free")]
        : []), // none of its judgments count
    ]);
    const run = (/** @type {Choice} */ act) => {
      dialog.addEventListener("close", () => act.call?.());
      dialog.close();
    };
    const buttons = acts.map((act) => button(act.label, () => run(act), { class: "choice" }));
    const parts = [
      el(
        "div",
        { class: "menu" },
        ...buttons,
        this.sameAs(seat, () => dialog.close()),
      ),
    ];
    const title = seat.name || seat.id;
    const dialog = openDialog({ title, parts, choices: [{ label: tr("Close") }], closed: () => {}, style: "small-dialog" });
  }

  /** @param {Seat} seat @param {() => void} close */
  sameAs(seat, close) {
    const otherSeats = this.seats.filter(({ id, same }) => id !== seat.id && !same);
    const list = el("select", { id: "same-as" }, ...otherSeats.map(({ id, name }) => el("option", { value: id }, name || id)));
    const call = () => {
      close();
      void this.leader.do("same", { person: seat.id, other: list.value }, () =>
        tr("Both names now count as one participant. No judgment was changed."),
      );
    };
    const row = el("div", { class: "row" }, list, button(tr("Merge"), call));
    return otherSeats.length ? el("div", { class: "same-as" }, el("label", { for: "same-as" }, tr("Merge with")), row) : null;
  }

  /** @param {Seat} seat shows the new personal link of a participant */
  async letIn(seat) {
    const response = await this.leader.do("let", { person: seat.id }, () => tr("The old link no longer works."));
    if (response) {
      const link = `${location.origin}/#t=${response.token}`;
      const { rows } = await this.leader.request("picture", { link });
      const parts = [
        el("p", {}, tr("Only for this participant: anyone with this link can judge as them.")),
        el("div", { class: "lead-picture" }, drawn(rows)),
        el("p", { class: "address" }, link),
        button(tr("Copy the link"), () => copyText(link, this.leader)),
      ];
      openDialog({ title: seat.name || seat.id, parts, choices: [{ label: tr("Close") }], closed: () => {} });
    }
  }
}

/** @typedef {{ name: string, title: string, help?: string, wide?: boolean, key: (seat: Seat, quality?: Quality) => string | number, words: (seat: Seat, quality: Quality | undefined, share: number) => string }} Column */

/** @returns {Column[]} */
function columns() {
  const part = (/** @type {[number, number] | undefined} */ pair) => (pair?.[1] ? pair[0] / pair[1] : -1);
  return [
    {
      name: "name",
      title: tr("Name"),
      key: (seat) => seat.name || seat.id,
      words: (seat) => [seat.name || seat.id, ...(seat.same ? [seat.same] : [])].join(" = "),
    },
    {
      name: "judged",
      title: tr("Judged"),
      key: (seat) => seat.judged,
      words: (seat, _quality, share) =>
        share ? fill(tr("{count} of {total}"), { count: seat.judged + seat.late, total: share }) : String(seat.judged),
    },
    {
      name: "seconds",
      wide: true,
      title: tr("Seconds per item"),
      key: (seat) => seat.seconds ?? -1,
      words: (seat) => (seat.seconds === null ? "" : String(Math.round(seat.seconds))),
    },
    {
      name: "gold",
      wide: true,
      title: tr("Gold items correct"),
      help: tr("Gold items answered correctly, out of those shown"),
      key: (_seat, quality) => part(quality?.gold),
      words: (_seat, quality) =>
        quality?.gold[1] ? fill(tr("{count} of {total}"), { count: quality.gold[0], total: quality.gold[1] }) : "",
    },
    {
      name: "agreement",
      wide: true,
      title: tr("Agrees with majority"),
      help: tr("Mean share of the other session participants who gave a document the same grade"),
      key: (_seat, quality) => quality?.agreement ?? -1,
      words: (_seat, quality) => (typeof quality?.agreement === "number" ? `${Math.round(100 * quality.agreement)} %` : ""),
    },
    { name: "late", wide: true, title: tr("Late"), key: (seat) => seat.late, words: (seat) => String(seat.late || "") },
    { name: "state", title: tr("State"), key: stateOf, words: stateOf },
  ];
}

/** @param {Seat} seat @returns {string} */
function stateOf(seat) {
  if (seat.aside) {
    return seat.withdrawn ? tr("withdrew") : tr("excluded");
  }
  if (seat.completed) {
    return seat.completed[1] === "failed" ? tr("failed checks") : tr("complete");
  }
  return seat.here === null ? "" : seat.here ? tr("online") : tr("away");
}
