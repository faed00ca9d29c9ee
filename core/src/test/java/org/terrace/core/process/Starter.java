package org.terrace.core.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that starts processes in several ways, over and over, until it is killed. */
final class Starter {
  private Starter() {}

  /** Takes the seconds that all its processes sleep, by which a test finds them. */
  public static void main(String[] arguments) throws Exception {
    String sleep = "sleep " + arguments[0];
    List<List<String>> commands =
        List.of(
            List.of("sleep", arguments[0]),
            List.of("setsid", "sleep", arguments[0]),
            List.of("sh", "-c", "setsid " + sleep + " & setsid " + sleep + " & wait"),
            // Its grandchild belongs to nobody and to a session of its own.
            List.of("sh", "-c", "(setsid " + sleep + " &)"));
    // An environment without marks: known by its number.
    ChildProcess.start(new ProcessBuilder("env", "-i", "sleep", arguments[0]));
    Thread.ofVirtual().start(() -> runToItsEnd("sleep", arguments[0]));
    System.out.println("ready " + commands.size());
    for (int i = 0; i < 10 * commands.size(); i++) {
      ChildProcess.start(new ProcessBuilder(commands.get(i % commands.size())));
    }
    TimeUnit.DAYS.sleep(1);
  }

  private static void runToItsEnd(String... words) {
    try {
      var _ = ShortCommand.of(words).withWithin(Duration.ofDays(1)).run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
