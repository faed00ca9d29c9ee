package org.terrace.benchmarks.collections;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;

/**
 * A server of a subject, or the load process: does what the lines of its standard input say, one
 * after another, and answers each with a line that begins with {@value #ANSWER} (figures) or
 * {@value #FAILURE} (why not). Whatever else the subject prints goes to standard error. Ends with
 * its input at once, whatever it is doing, so that nothing of it outlives the benchmark.
 */
public final class NodeMain {
  /** Begins a line of figures. */
  static final String ANSWER = "@ ";

  /** Begins a line that tells why there are none. */
  static final String FAILURE = "@! ";

  private static final int COMMANDS_AHEAD_MAX = 100;

  private final PrintStream answers;

  private NodeMain(PrintStream answers) {
    this.answers = answers;
  }

  /** The subject of the load process. */
  static final String LOAD = "LOAD";

  /** {@code NodeMain SUBJECT INDEX HOSTS PORTS FRONT-END-PORTS MULTICAST-PORT BACKING}. */
  public static void main(String[] arguments) {
    NodeMain node = new NodeMain(System.out);
    System.setOut(System.err);
    BlockingQueue<String> lines = lines();
    try {
      long startNanos = TimeSource.system().elapsedNanos();
      Place place =
          new Place(
              Integer.parseInt(arguments[1]),
              List.of(arguments[2].split(",", -1)),
              numbers(arguments[3]),
              numbers(arguments[4]),
              Integer.parseInt(arguments[5]),
              arguments[6]);
      NodeCommands commands = new NodeCommands(open(arguments[0], place), startNanos);
      node.answer(Map.of());
      node.obey(commands, lines);
    } catch (Exception | LinkageError e) {
      node.fail(e);
    }
    end();
  }

  private static SharedMap open(String subject, Place place) throws Exception {
    if (subject.equals(LOAD)) {
      return new FrontEndMap(place);
    }
    SharedMap map = Subject.valueOf(subject).open(place);
    FrontEnd.start(map, place.host(), place.frontEndPorts().get(place.index()));
    return map;
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
  }

  private void obey(NodeCommands commands, BlockingQueue<String> lines)
      throws InterruptedException {
    while (true) {
      String line = lines.take();
      try {
        answer(commands.run(line.split(" ", -1)));
      } catch (Exception | LinkageError e) {
        fail(e);
      }
    }
  }

  /** Takes the input's lines as they come, and ends the process with the input. */
  private static BlockingQueue<String> lines() {
    BlockingQueue<String> lines = new ArrayBlockingQueue<>(COMMANDS_AHEAD_MAX);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (BufferedReader input =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
              lines.add(line);
            }
          } catch (IOException e) {
            System.err.println("the input cannot be read: " + e);
          }
          end();
        });
    return lines;
  }

  /** No peer's threads, nor its goodbyes, keep the process. */
  private static void end() {
    Runtime.getRuntime().halt(0);
  }

  private void answer(Map<String, Double> figures) {
    StringBuilder line = new StringBuilder(ANSWER);
    new TreeMap<>(figures)
        .forEach((name, value) -> line.append(name).append('=').append(value).append(' '));
    answers.println(line);
    answers.flush();
  }

  private void fail(Throwable failure) {
    failure.printStackTrace();
    answers.println(FAILURE + failure.toString().replace('\n', ' '));
    answers.flush();
  }
}
