// Which folders need each other: each folder with all below it. Tests do not count: they build on whatever they need.
const { forbidden, options } = require('./.dependency-cruiser.cjs');

const TESTS = forbidden.find(({ name }) => name === 'no-test-in-product').to.path;

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'Folders depend on each other in one direction. What two of them share is in a third one below both.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [options.exclude.path, TESTS] } },
};
