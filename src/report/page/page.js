// Puts the parts together: one filter chooses the groups of all of them.

const CHOICES = 60; // of a list in the filter

const filter = {search: '', state: '', package: '', label: '', age: 0, normal: true};

// The frames of a group in lower case, for searching, made once.
function searchTextOf(group) {
  if (!group.searchText) {
    const parts = group.stack.map(index => report.frames[index].name + ' ' + report.frames[index].file);
    if (createdBy(group)) parts.push(createdBy(group).name);
    parts.push(...labelsOf(group).map(labelText), group.state, group.rule || '', group.id);
    group.searchText = parts.join('\n').toLowerCase();
  }
  return group.searchText;
}

function isChosen(group) {
  if (filter.state && group.state !== filter.state) return false;
  if (filter.age && !(group.ageSeconds >= filter.age)) return false;
  if (!filter.normal && group.normal) return false;
  if (filter.package && !group.stack.some(index => report.frames[index].package === filter.package))
    return false;
  if (filter.label && !labelsOf(group).some(label => labelText(label) === filter.label)) return false;
  return filter.search === '' || searchTextOf(group).includes(filter.search);
}

// What can be chosen of something, the most common first: [value, count]. Of a
// group, countOf says how many have a value.
function choicesOf(valuesOf, countOf) {
  const counts = new Map();
  for (const group of report.groups)
    for (const value of new Set(valuesOf(group)))
      counts.set(value, (counts.get(value) || 0) + countOf(group, value));
  return [...counts].sort((a, b) => b[1] - a[1]);
}

const wholeGroup = group => group.count;

function labelled(group, value) {
  return countsLabels ? labelsOf(group).find(label => labelText(label) === value)[2] : group.count;
}

// Of how many goroutines it is not known whether they have a label, because
// more values of its key came than were kept.
function unknownOf(text) {
  const all = report.groups.map(group => group.labels || []).reduce((sum, labels) => sum.concat(labels), []);
  const keys = all.filter(label => !label[3] && labelText(label) === text).map(label => label[0]);
  return all.filter(label => label[3] && keys.includes(label[0])).reduce((sum, label) => sum + label[2], 0);
}

function selectElement(name, label, choices, changed) {
  const select = element('select', {name, 'aria-label': label}, element('option', {value: ''}, label));
  for (const [value, text] of choices.slice(0, CHOICES)) select.append(element('option', {value}, text));
  if (choices.length > CHOICES)
    select.append(element('option', {disabled: ''}, `${countText(choices.length - CHOICES)} more: search for them`));
  select.addEventListener('change', () => changed(select.value));
  return select;
}

const withCount = ([value, count]) => [value, `${value} (${countText(count)})`];

// The packages on stacks that are not Go's own.
function packagesOf(group) {
  return group.stack.map(index => report.frames[index])
    .filter(frame => !frame.std && frame.package).map(frame => frame.package);
}

function main() {
  const flame = new Flame(byId('flame'), frameSelected);
  const table = new GroupTable(byId('group-table'), byId('more'));
  let fromWait = false;
  let path = null; // the groups of the frame that is zoomed to

  function update() {
    chosenLabel = filter.label;
    const chosen = report.groups.filter(isChosen);
    path = null;
    flame.search = filter.search;
    flame.show(flameTree(chosen, fromWait));
    table.show(chosen);
    showStatus(chosen);
    byId('frame').replaceChildren();
  }

  function showStatus(groups) {
    const sum = groups.reduce((all, group) => all + weightNow(group), 0);
    const unknown = filter.label ? unknownOf(filter.label) : 0;
    byId('status').textContent = `${countText(groups.length)} of ${countText(report.groups.length)} groups, `
      + valueText(sum) + (path ? `, through ${path}` : '')
      + (unknown ? `; of ${countText(unknown)} more the value is not known` : '');
  }

  function frameSelected(node, isZoom) {
    byId('frame').replaceChildren(flame.textOf(node));
    if (node.frame && node.frame.link)
      byId('frame').append(' ', element('a', {rel: 'noreferrer', href: node.frame.link}, 'source'));
    if (!isZoom) return;
    path = node.parent ? node.label : null;
    table.show(node.groups);
    showStatus(node.groups);
  }

  function addFilters(form) {
    const search = element('input', {type: 'search', name: 'search', placeholder: 'Search functions, files, states, labels',
      'aria-label': 'Search', 'aria-keyshortcuts': '/'});
    let timer = 0;
    search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => { filter.search = search.value.trim().toLowerCase(); update(); }, 120);
    });
    form.append(search);
    const choose = (key, label, choices) =>
      form.append(selectElement(key, label, choices, value => { filter[key] = value; update(); }));
    // What every group has alike is nothing to choose.
    const chooseOf = (key, label, valuesOf, countOf) => {
      const choices = choicesOf(valuesOf, countOf);
      const [first] = choices;
      if (choices.length > 1 || (first && !report.groups.every(group => valuesOf(group).includes(first[0]))))
        choose(key, label, choices.map(withCount));
    };
    if (!report.measured) chooseOf('state', 'Any state', group => [group.state], wholeGroup);
    chooseOf('package', 'Any package', packagesOf, wholeGroup);
    chooseOf('label', 'Any label', group => labelsOf(group).map(labelText), labelled);
    if (report.groups.some(group => group.age))
      choose('age', 'Any age', [[60, '1 minute'], [300, '5 minutes'], [900, '15 minutes'], [3600, '1 hour'],
        [86400, '1 day']].map(([value, text]) => [value, 'at least ' + text]));
    if (report.normal) {
      const normal = element('input', {type: 'checkbox', name: 'normal', checked: ''});
      normal.addEventListener('change', () => { filter.normal = normal.checked; update(); });
      form.append(element('label', {}, normal, 'normal ones, too'));
    }
  }

  function addViews(form) {
    const order = selectElement('order', 'From the root', [['wait', 'From where they wait']], value => {
      fromWait = value === 'wait';
      update();
    });
    form.append(order);
    if (!report.compares) return;
    const moment = element('select', {name: 'moment', 'aria-label': 'Moment'});
    for (const [value, text] of [['after', 'After'], ['before', 'Before'], ['change', 'Change']])
      moment.append(element('option', {value}, text));
    moment.addEventListener('change', () => {
      flame.mode = moment.value;
      flame.draw();
      showLegend(flame.mode);
    });
    form.append(moment);
  }

  showLegend(flame.mode);
  const form = byId('filter');
  addFilters(form);
  addViews(form);
  form.addEventListener('submit', event => event.preventDefault());
  document.body.append(element('div', {id: 'tip', hidden: ''}));
  addEventListener('keydown', event => {
    if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
    event.preventDefault();
    form.elements.search.focus();
  });
  for (const part of document.querySelectorAll('.script')) part.hidden = false;
  for (const link of document.querySelectorAll('nav a'))
    link.parentElement.hidden = !byId(link.hash.slice(1));
  addTheme(byId('theme'), () => flame.recolour());
  update();
}

// What widths and colours of the flame view mean.
function showLegend(mode) {
  byId('legend').textContent = mode === 'change'
    ? 'Width is the greater of before and after; red has grown and green has shrunk, the paler the less.'
    : report.measured ? 'Width is what was measured; own code is blue.'
      : 'Width is the count, colour the state: the paler, the more others are among them.';
}

// Light, dark, or what the system says; remembered where the browser lets a
// file remember.
function addTheme(button, changed) {
  const themes = ['auto', 'light', 'dark'];
  let theme = 'auto';
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = 'Theme: ' + theme;
  };
  try {
    theme = themes.find(name => name === localStorage.getItem('cprof-leaks-theme')) || 'auto';
  } catch { /* a page without storage begins with auto */ }
  apply();
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    apply();
    try {
      localStorage.setItem('cprof-leaks-theme', theme);
    } catch { /* it lasts as long as the page */ }
    changed();
  });
  for (const what of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(what).addEventListener('change', changed);
}

main();
