'use strict';

// The script of the HTML report. It shows what the page cannot show alone: the
// stacks as a flame view, and all groups in a table that sorts and filters. All
// it knows is the JSON of the element "data". It makes elements and texts, never
// markup from text: names in a dump come from strangers.

const report = JSON.parse(document.getElementById('data').textContent);

// Functions, files and frames stand in the data once; here they come together.
report.frames = report.frames.map(([fn, file, line, link]) => {
  const path = file < 0 ? '' : report.files[file] + (line ? ':' + line : '');
  return {...report.functions[fn], file: path, at: path.replace(/^.*[/\\]/, ''), link};
});

const byId = id => document.getElementById(id);

// A new element; children are elements, or texts that stay texts.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// "97,908", whatever the language of the browser.
const countText = new Intl.NumberFormat('en-US').format;

// "99.98 %": what is not all is never 100 %, what is not nothing never 0 %.
function shareText(part, whole) {
  if (!whole || !part) return '0 %';
  if (part === whole) return '100 %';
  const percent = Math.min(Math.max(100 * part / whole, 0.01), 99.99);
  return percent.toFixed(2).replace(/\.?0+$/, '') + ' %';
}

// A value in the unit of the report: "1,024 goroutines", "1.50MB", "2.10s".
function valueText(value) {
  const scales = {
    bytes: [['GB', 2 ** 30], ['MB', 2 ** 20], ['kB', 2 ** 10], ['B', 1]],
    nanoseconds: [['hrs', 3.6e12], ['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]],
  };
  const size = Math.abs(value);
  for (const [unit, divisor] of scales[report.unit] || [])
    if (size >= divisor) return (value / divisor).toFixed(divisor > 1 ? 2 : 0) + unit;
  if (scales[report.unit]) return '0';
  return countText(value) + ' ' + (value === 1 ? report.unit.replace(/s$/, '') : report.unit);
}

// The labels of a group whose values are known: [key, value, count].
const labelsOf = group => (group.labels || []).filter(label => !label[3]);
const labelText = ([key, value]) => `${key}=${value}`;

// The label that is chosen in the filter: of a group only the goroutines that
// have it count then. What is measured, and what was before, is known of groups
// as a whole only.
let chosenLabel = '';
const countsLabels = !report.measured && !report.compares;

// What the width of a group is, now and at the first moment of a comparison.
function weightNow(group) {
  if (group.value !== undefined) return group.value;
  if (!chosenLabel || !countsLabels) return group.count;
  const label = labelsOf(group).find(known => labelText(known) === chosenLabel);
  return label ? label[2] : 0;
}

const weightBefore = group => group.before || 0;

// A frame as the page shows it: its short name, and its line, linked to its
// source where that is known.
function placeElement(frame) {
  if (!frame) return element('span', {class: 'faint'}, '(no frames)');
  const place = element('span', {class: 'place'},
    element('code', {title: frame.name + '\n' + frame.file}, frame.short));
  if (frame.link)
    place.append(' ', element('a', {class: 'at', rel: 'noreferrer', href: frame.link}, frame.at));
  else if (frame.at)
    place.append(' ', element('span', {class: 'at'}, frame.at));
  return place;
}

// The frame where a group waits: the line of the user's code, or else the leaf.
function siteOf(group) {
  return report.frames[group.stack[group.site < 0 ? 0 : group.site]];
}

const createdBy = group => report.frames[group.createdBy];

// A dot in the colour of a state.
const dot = kind => element('i', {class: 'dot s-' + kind});
