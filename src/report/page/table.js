// The table of groups: sorts by a click on a heading, shows some rows at a time,
// and a stack once it is opened.

const ROWS = 50;

const sortKeys = {
  count: group => -weightNow(group),
  before: group => -weightBefore(group),
  state: group => group.state,
  age: group => -(group.ageSeconds === undefined ? -1 : group.ageSeconds),
  where: group => (siteOf(group) || {short: ''}).short.toLowerCase(),
  rule: group => group.rule || '\uffff',
};

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
    this.heads = [...table.querySelectorAll('th[data-key]')];
    for (const head of this.heads) {
      const button = element('button', {type: 'button'}, head.textContent);
      button.addEventListener('click', () => this.sortBy(head.dataset.key));
      head.replaceChildren(button);
    }
  }

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
    if (this.heads.some(head => head.dataset.key === 'before')) row.append(figure(weightBefore(group)));
    row.append(element('td', {class: 'num share'}, group.share), state,
      element('td', {class: 'num age'}, group.age || ''),
      element('td', {}, details), element('td', {class: 'rule'}, group.rule || ''));
    return row;
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
  for (const [key, value, count] of group.labels || [])
    add(element('code', {}, `${key}=${value}`), ` ${countText(count)}`);
  if (group.ids) {
    const rest = group.idsKnown - group.ids.length;
    add('goroutines ' + group.ids.join(', ') + (rest > 0 ? ` and ${countText(rest)} more` : ''));
  }
  return made;
}
