// Nothing here yet: ARCHITECTURE.md says what this package will be.
export {};
