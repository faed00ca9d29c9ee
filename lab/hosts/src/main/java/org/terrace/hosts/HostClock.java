package org.terrace.hosts;

import java.util.regex.Pattern;
import org.terrace.observation.Event;

/** The clock of a host as this machine's clock sees it. Thread-safe. */
public interface HostClock {
  /** The clock of this machine itself. */
  HostClock OF_THIS_MACHINE =
      new HostClock() {
        @Override
        public long here(long timeThere) {
          return timeThere;
        }

        @Override
        public String here(String line) {
          return line;
        }
      };

  /** A moment as servers print it: nanoseconds since the Unix epoch, of this century. */
  Pattern MOMENT = Pattern.compile("(?<=^| )[1-4]\\d{18}(?= |$)");

  /**
   * A time of the host as this machine's clock has it, both in nanoseconds since the Unix epoch.
   */
  long here(long timeThere);

  /** A line of a host with the moments in it as this machine's clock has them. */
  default String here(String line) {
    return MOMENT
        .matcher(line)
        .replaceAll(found -> Long.toString(here(Long.parseLong(found.group()))));
  }

  /** An event of a host at the times that this machine's clock has for it. */
  default Event here(Event event) {
    return new Event(
        event.node(),
        event.kind(),
        here(event.startNanos()),
        Math.max(here(event.startNanos()), here(event.endNanos())),
        event.attributes());
  }
}
