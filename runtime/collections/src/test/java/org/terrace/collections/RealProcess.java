package org.terrace.collections;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/** A {@link RealReplica} in a JVM of its own, seen from outside. Thread-safe. */
final class RealProcess implements AutoCloseable {
  /**
   * The classes that a process runs, and how.
   *
   * @param classPath where they are
   * @param options of the JVM, beside those that all have
   */
  record Build(String classPath, List<String> options) {
    /** The classes of this very build, with these options of the JVM. */
    static Build ofHere(String... options) {
      return new Build(System.getProperty("java.class.path"), List.of(options));
    }
  }

  private static final long ANSWER_SECONDS = 30;
  private static final Duration END_PATIENCE = Duration.ofSeconds(30);

  final String name;
  private final Process process;
  private final PrintStream in;
  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Thread reader;

  /** Starts it; lines about calls go to the consumer, answers to questions do not. */
  RealProcess(
      List<String> prefix,
      Build build,
      String name,
      InetSocketAddress address,
      List<InetSocketAddress> all,
      Path folder,
      long clockOffsetMillis,
      String soundness,
      Consumer<String> calls) {
    this.name = name;
    List<String> others = new ArrayList<>();
    all.forEach(other -> others.add(other.getHostString() + ":" + other.getPort()));
    List<String> options = new ArrayList<>(build.options());
    options.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        JavaCommand.of(
            JavaCommand.program(),
            options,
            build.classPath(),
            RealReplica.class.getName(),
            List.of(
                name,
                address.getHostString(),
                Integer.toString(address.getPort()),
                String.join(",", others),
                folder.resolve(name + ".checkpoint").toString(),
                Long.toString(clockOffsetMillis),
                soundness)));
    File log = folder.resolve(name + ".log").toFile();
    try {
      process =
          Keeper.ofThisProcess()
              .start(
                  new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    reader = Thread.ofVirtual().start(() -> read(calls));
  }

  private void read(Consumer<String> calls) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        switch (line.substring(0, line.indexOf(' '))) {
          case "made", "acknowledged", "nothing" -> calls.accept(line);
          default -> answers.add(line.substring(line.indexOf(' ') + 1));
        }
      }
    } catch (IOException e) {
      answers.clear();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void tell(String line) {
    in.println(line);
  }

  /** The answer to a question. */
  String ask(String question) {
    tell(question);
    return answer();
  }

  /** The next answer. */
  String answer() {
    try {
      @Nullable String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IllegalStateException("replica " + name + " does not answer");
      }
      return answer;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills it at once, and reads what it had said by then. */
  void kill() {
    // Process.destroy would close the pipe, with what it had said and nobody has read yet.
    if (process.isAlive()) {
      signal("KILL");
    }
    try {
      if (!process.waitFor(END_PATIENCE) || !reader.join(END_PATIENCE)) {
        throw new IllegalStateException(
            "replica "
                + name
                + " was killed and its output does not end; process "
                + process.pid());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends it a signal that does not end it. */
  void signal(String signal) {
    run(List.of("kill", "-" + signal, Long.toString(process.pid())));
  }

  /** Runs a short command to its end; says whether it succeeded. */
  static boolean run(List<String> command) {
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!started.waitFor(END_PATIENCE)) {
        started.destroyForcibly();
        throw new IllegalStateException("it does not end: " + command);
      }
      return started.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
