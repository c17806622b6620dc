// With LONG_TESTS=1 the tests take as many samples as there is time for. Otherwise they take fewer, of the same kinds.

export const samples = (few, many) => process.env.LONG_TESTS ? many : few;
