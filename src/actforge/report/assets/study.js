(function () {
  "use strict";
  document.documentElement.classList.add("script");
  const byId = (id) => document.getElementById(id);
  const data = (id) => (byId(id) ? JSON.parse(byId(id).textContent) : null);

  // What survives loading the page anew. Some browsers forbid it to files.
  const kept = {
    key: "actforge " + location.pathname,
    read() { try { return JSON.parse(sessionStorage.getItem(this.key)) || {}; } catch (e) { return {}; } },
    write(state) { try { sessionStorage.setItem(this.key, JSON.stringify(state)); } catch (e) { /* then it starts anew */ } },
  };
  const before = kept.read();
  let tableState = () => ({});

  // ---- all trials

  const kFirstRows = 100;

  // All numbers of a column have as many decimals, unless that would hide them.
  function decimalsOf(column, i, rows) {
    const numbers = column.kind === "number" ? rows.map((row) => row[i]).filter((v) => v !== null) : [];
    if (numbers.every(Number.isInteger)) return 0;
    const typical = numbers.map(Math.abs).sort((a, b) => a - b)[numbers.length >> 1];
    return Math.max(0, Math.min(8, (column.title === "seconds" ? 2 : 4) - Math.floor(Math.log10(typical || 1))));
  }

  function numberText(v, decimals) {
    const size = Math.abs(v), hidden = size !== 0 && (size >= 1e9 || size < 5 * 10 ** -decimals);
    return (hidden ? String(+v.toPrecision(3)) : v.toFixed(decimals)).replace("-", "\u2212");
  }

  function dataCell(column, text) {
    const td = document.createElement("td");
    // A long expression may be broken after brackets and commas.
    const parts = (column.kind === "text" && text.match(/[^(,]+[(,]*|[(,]+/g)) || [text];
    parts.forEach((part, k) => td.append(...(k > 0 ? [document.createElement("wbr"), part] : [part])));
    if (column.kind === "number") td.className = "n";
    if (column.kind === "text") td.className = "wide code";
    if (column.title === "reason") td.className = "wide";
    return td;
  }

  function titleCell(column, whenClicked) {
    const th = document.createElement("th"), button = document.createElement("button");
    th.scope = "col";
    th.dataset.title = column.title;  // for paper: browsers do not repeat buttons at the top of each sheet
    if (column.kind === "number") th.className = "n";
    button.type = "button";
    button.textContent = column.title;
    button.addEventListener("click", whenClicked);
    th.appendChild(button);
    return th;
  }

  function trialTable(trials) {
    const columns = trials.columns, words = trials.words, rows = trials.rows;
    const table = byId("trials-table"), head = table.tHead.rows[0], body = table.tBodies[0];
    const filter = byId("filter"), status = byId("status"), more = byId("more"), count = byId("count");
    const statusColumn = columns.findIndex((c) => c.title === "status" && c.kind === "word");
    let sortColumn = trials.sort, descending = !columns[trials.sort].less, shown = kFirstRows, view = [];

    const value = (row, i) => (columns[i].kind === "word" && row[i] !== null ? words[row[i]] : row[i]);
    const decimals = columns.map((column, i) => decimalsOf(column, i, rows));
    const shownText = (row, i) => {
      const v = value(row, i);
      if (v === null) return "";
      return typeof v === "number" ? numberText(v, decimals[i]) : v;
    };
    const haystacks = new Map();
    const haystack = (row) => {
      if (!haystacks.has(row)) haystacks.set(row, columns.map((c, i) => value(row, i)).join("\n").toLowerCase());
      return haystacks.get(row);
    };

    // What is missing comes last either way.
    const compare = (a, b) => {
      const x = value(a, sortColumn), y = value(b, sortColumn);
      if (x === null || y === null) return (x === null) - (y === null) || a[0] - b[0];
      const order = x < y ? -1 : x > y ? 1 : 0;
      return (descending ? -order : order) || a[0] - b[0];
    };

    function draw() {
      const part = document.createDocumentFragment();
      for (const row of view.slice(0, shown)) {
        const tr = document.createElement("tr");
        columns.forEach((c, i) => tr.appendChild(dataCell(c, shownText(row, i))));
        part.appendChild(tr);
      }
      body.replaceChildren(part);
      const left = view.length - Math.min(shown, view.length);
      more.hidden = left === 0;
      more.textContent = "show " + Math.min(left, shown) + " more";
      const all = rows.length === 1 ? "1 trial" : rows.length + " trials";
      count.textContent = view.length === rows.length ? all : view.length + " of " + all;
      Array.from(head.cells).forEach((th, i) => {
        th.setAttribute("aria-sort", i !== sortColumn ? "none" : descending ? "descending" : "ascending");
      });
    }

    function update() {
      const wanted = filter.value.trim().toLowerCase();
      const chosen = status.value === "" ? null : Number(status.value);
      view = rows.filter((row) => (chosen === null || row[statusColumn] === chosen) &&
                                  (wanted === "" || haystack(row).includes(wanted)));
      view.sort(compare);
      draw();
    }

    columns.forEach((column, i) => head.appendChild(titleCell(column, () => {
      descending = i === sortColumn ? !descending : !column.less;
      sortColumn = i;
      shown = kFirstRows;
      update();
    })));
    status.add(new Option("any status", ""));
    for (const number of new Set(rows.map((row) => row[statusColumn]))) {
      if (number !== null) status.add(new Option(words[number], number));
    }

    if (before.sort !== undefined && columns[before.sort]) {
      sortColumn = before.sort;
      descending = before.descending;
      shown = before.shown;
      filter.value = before.filter;
      status.value = words.indexOf(before.status);
      if (status.selectedIndex < 0) status.value = "";
    }
    tableState = () => ({ sort: sortColumn, descending, shown, filter: filter.value,
                          status: status.value === "" ? "" : words[Number(status.value)] });
    filter.addEventListener("input", () => { shown = kFirstRows; update(); });
    status.addEventListener("change", () => { shown = kFirstRows; update(); });
    more.addEventListener("click", () => { shown *= 2; draw(); });
    update();
  }

  const trials = data("trials-data");
  if (trials) trialTable(trials);

  // ---- copying

  function copyByHand(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.style.cssText = "position:fixed;top:0;left:0;opacity:0";
    document.body.appendChild(area);
    area.select();
    let done = false;
    try { done = document.execCommand("copy"); } catch (e) { /* says so below */ }
    area.remove();
    return done;
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (e) {
      return copyByHand(text);
    }
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const name = button.textContent;
    let timer = 0;
    button.addEventListener("click", async () => {
      const done = await copy(byId(button.dataset.copy).textContent);
      button.focus();
      button.textContent = done ? "copied" : "not copied";
      clearTimeout(timer);
      timer = setTimeout(() => { button.textContent = name; }, 1500);
    });
  }

  // ---- a study that is still running

  const live = data("live-data");
  if (live) {
    let known = live.revision;
    const ended = byId("ended");
    if (before.scroll !== undefined) {
      history.scrollRestoration = "manual";
      scrollTo(0, before.scroll);
      kept.write({});
    }
    const poll = async () => {
      let wait = 2000;
      try {
        const answer = await fetch("revision", { cache: "no-store" });
        if (!answer.ok) throw new Error(answer.statusText);
        const revision = (await answer.text()).trim();
        ended.hidden = true;
        if (known !== "" && revision !== known) {
          kept.write({ ...tableState(), scroll: scrollY });
          location.reload();
          return;
        }
        known = revision;
      } catch (e) {
        ended.hidden = false;
        wait = 10000;
      }
      setTimeout(poll, wait);
    };
    setTimeout(poll, 2000);
  }
})();
