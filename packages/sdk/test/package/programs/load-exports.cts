// What a CommonJS program gets of each entry.
const names = ['signalbox', 'signalbox/browser', 'signalbox/hub', 'signalbox/model', 'signalbox/wire'].map(
  (entry) => Object.keys(require(entry)).toSorted(),
);
console.log(JSON.stringify(names));
