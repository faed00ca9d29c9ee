package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.structures.StepTime;
import org.terrace.testing.Seeds;

/** The reads of something that nobody gave to a core, planted for the replay to find. */
enum Planted {
  /** A core that goes by what it is given alone. */
  NOTHING,
  /** A core that looks at a clock of its own. */
  CLOCK {
    @Override
    StepTime time(StepTime given) {
      return new StepTime(given.elapsedNanos(), given.epochNanos() + System.nanoTime());
    }
  },
  /** A core that draws by a generator of its own. */
  GENERATOR {
    @Override
    RandomGenerator generator(long seed) {
      return Seeds.generator(seed ^ System.nanoTime());
    }
  },
  /** A state that lists its entries in the order of their identities. */
  IDENTITIES {
    @Override
    List<LiveEntry<?>> listed(List<LiveEntry<?>> entries) {
      List<LiveEntry<?>> sorted = new ArrayList<>(entries);
      sorted.sort(Comparator.comparingInt(entry -> System.identityHashCode(entry.version())));
      return sorted;
    }
  };

  StepTime time(StepTime given) {
    return given;
  }

  RandomGenerator generator(long seed) {
    return Seeds.generator(seed);
  }

  List<LiveEntry<?>> listed(List<LiveEntry<?>> entries) {
    return entries;
  }
}
