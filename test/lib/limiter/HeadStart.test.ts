import { HeadStart } from '../../../lib/limiter/HeadStart';

const at = (readAt: number, id = 1) => ({ id, readAt });

describe('A head start', () => {
  let headStart: HeadStart;

  beforeEach(() => {
    headStart = new HeadStart();
    headStart.enter();
  });

  test('is for whoever is alone, again once the others have left', () => {
    const leave = headStart.enter();
    expect(headStart.isFor(at(1000))).toBe(false);
    leave();
    expect(headStart.isFor(at(1000))).toBe(true);
  });

  test('is refused to a token until the end of the window that was seen full', () => {
    headStart.counted(at(1000), true, 1060);
    expect([1059, 1060].map((now) => headStart.isFor(at(now)))).toEqual([false, true]);
    expect(headStart.isFor(at(1059, 2))).toBe(true);
  });

  test('is given again where the window is not full any more, as with a limit that was raised', () => {
    headStart.counted(at(1000), true, 1060);
    headStart.counted(at(1001), false, 1060);
    expect(headStart.isFor(at(1002))).toBe(true);
  });

  test('keeps a thousand tokens in mind, and forgets first what it has known longest', () => {
    for (let id = 1; id <= 1000; id += 1) headStart.counted(at(1000, id), true, 1060);
    headStart.counted(at(1000, 1), true, 1060);
    headStart.counted(at(1000, 1001), true, 1060);
    expect([1, 2, 3, 1001].map((id) => headStart.isFor(at(1000, id)))).toEqual([false, true, false, false]);
  });
});
