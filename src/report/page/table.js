// The table of groups: sorts by a click on a heading, shows some rows at a time,
// and a stack once it is opened.

const ROWS = 50;

const sortKeys = {
  count: group => -weightNow(group),
  before: group => -weightBefore(group),
  state: group => group.state,
  age: group => -(group.ageSeconds === undefined ? -1 : group.ageSeconds),
  where: group => (siteOf(group) || {short: ''}).short.toLowerCase(),
  package: group => packageOf(group) || '\uffff',
  labels: group => labelsOf(group).map(labelText).join('\n') || '\uffff',
  rule: group => group.rule || '\uffff',
};

const LABELS = 3; // of a group in its row

// The package where a group waits.
const packageOf = group => (siteOf(group) || {package: ''}).package;

// An import path, which breaks at its slashes where it has to.
function pathElement(path) {
  const code = element('code');
  for (const part of path.match(/[^/]*\/?/g)) code.append(part, element('wbr'));
  return code;
}

// The share of a group in the whole, of what the filter leaves of it.
const shareOf = group => chosenLabel && countsLabels
  ? shareText(weightNow(group), report.shareOf) : group.share;

const figure = value =>
  element('td', {class: 'num'}, report.measured ? valueText(value) : countText(value));

class GroupTable {
  constructor(table, more) {
    this.body = table.tBodies[0];
    this.more = more;
    this.groups = [];
    this.limit = ROWS;
    this.key = 'count';
    this.isReversed = false;
    this.addColumn(table, 'package', 'Package');
    if (report.groups.some(group => labelsOf(group).length)) this.addColumn(table, 'labels', 'Labels');
    this.heads = [...table.querySelectorAll('th[data-key]')];
    for (const head of this.heads) {
      const button = element('button', {type: 'button'}, head.textContent);
      button.addEventListener('click', () => this.sortBy(head.dataset.key));
      head.replaceChildren(button);
    }
  }

  // A column before the last one, which the page without its script has not.
  addColumn(table, key, name) {
    const row = table.tHead.rows[0];
    row.insertBefore(element('th', {scope: 'col', class: `where ${key}`, 'data-key': key}, name), row.lastElementChild);
  }

  has(key) { return this.heads.some(head => head.dataset.key === key); }

  show(groups) {
    this.groups = groups;
    this.limit = ROWS;
    this.draw();
  }

  sortBy(key) {
    this.isReversed = key === this.key && !this.isReversed;
    this.key = key;
    this.draw();
  }

  sorted() {
    const key = sortKeys[this.key];
    const sign = this.isReversed ? -1 : 1;
    return this.groups
      .map((group, index) => ({group, index, key: key(group)}))
      .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
      .map(item => item.group);
  }

  draw() {
    const falls = ['count', 'before', 'age'].includes(this.key);
    for (const head of this.heads) {
      if (head.dataset.key === this.key)
        head.setAttribute('aria-sort', falls !== this.isReversed ? 'descending' : 'ascending');
      else
        head.removeAttribute('aria-sort');
    }
    this.body.replaceChildren(...this.sorted().slice(0, this.limit).map(group => this.row(group)));
    this.drawMore();
  }

  drawMore() {
    const rest = this.groups.length - this.limit;
    this.more.replaceChildren();
    if (rest <= 0) return;
    const button = element('button', {type: 'button', id: 'more-rows'},
      `Show ${countText(Math.min(rest, ROWS * 10))} more of ${countText(rest)}`);
    button.addEventListener('click', () => {
      const next = this.limit;
      this.limit += ROWS * 10;
      this.draw();
      this.body.rows[next].querySelector('summary').focus();
    });
    this.more.append(button);
  }

  row(group) {
    const state = element('td', {class: 'state'}, dot(group.kind), group.state);
    if (group.inferred) state.append(' ', element('span', {class: 'faint'}, 'inferred'));
    const details = element('details', {}, element('summary', {}, placeElement(siteOf(group))));
    details.addEventListener('toggle', () => {
      if (details.open && details.childElementCount === 1) details.append(...stackElements(group));
    });
    const row = element('tr', {'data-id': group.id}, figure(weightNow(group)));
    if (this.has('before')) row.append(figure(weightBefore(group)));
    row.append(element('td', {class: 'num share'}, shareOf(group)), state,
      element('td', {class: 'num age'}, group.age || ''), element('td', {}, details),
      element('td', {class: 'package'}, pathElement(packageOf(group))));
    if (this.has('labels')) row.append(this.labelCell(group));
    row.append(element('td', {class: 'rule'}, group.rule || ''));
    return row;
  }

  labelCell(group) {
    const labels = labelsOf(group);
    const cell = element('td', {class: 'labels'});
    for (const label of labels.slice(0, LABELS)) cell.append(element('code', {}, labelText(label)), ' ');
    if (labels.length > LABELS) cell.append(`and ${countText(labels.length - LABELS)} more`);
    return cell;
  }
}

// The stack of a group, its creator, labels and goroutines.
function stackElements(group) {
  const list = element('ol', {class: 'stack'});
  group.stack.forEach((index, at) => {
    const frame = report.frames[index];
    const name = at === group.site ? 'site' : frame.std ? 'std' : '';
    list.append(element('li', name ? {class: name} : {}, placeElement(frame)));
  });
  const made = [list];
  const add = (...children) => made.push(element('p', {class: 'creator'}, ...children));
  if (group.elided) add(group.elided + ' frames were left out of the dump');
  if (createdBy(group)) add('created by ', placeElement(createdBy(group)));
  for (const [key, value, count, isRest] of group.labels || [])
    add(element('code', {}, isRest ? `${key}: ${value}` : `${key}=${value}`), ` ${countText(count)}`);
  if (group.ids) {
    const rest = group.idsKnown - group.ids.length;
    add('goroutines ' + group.ids.join(', ') + (rest > 0 ? ` and ${countText(rest)} more` : ''));
  }
  return made;
}
