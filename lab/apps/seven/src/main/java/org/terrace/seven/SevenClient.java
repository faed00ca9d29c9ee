package org.terrace.seven;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Probes;
import org.terrace.seven.application.Application;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clients of one of the seven. A line each second on standard error tells how far they are; a
 * line {@code end} on standard input ends them before they have made all calls; the exit code is 1
 * if a measured call came to no reply.
 */
public final class SevenClient {
  private static final int CLIENT_COLUMN = 2;
  private static final int SEQUENCE_COLUMN = 8;

  private SevenClient() {}

  /** Runs clients; see {@link ClientArguments#USAGE}. */
  public static void main(String[] arguments) {
    Program.run(
        "SevenClient",
        ClientArguments.USAGE,
        () -> {
          ClientArguments read = ClientArguments.of(arguments);
          RunSummary summary = run(read, read.application(), System.in);
          System.out.println(JsonMapper.shared().writeValueAsString(summary));
          return summary.isWhole() ? 0 : ErrorCode.CHECK_FAILED.exitCode();
        });
  }

  /**
   * Runs clients.
   *
   * @param commands where a line {@code end} may come from
   */
  static <S> RunSummary run(
      ClientArguments arguments, Application<S> application, InputStream commands)
      throws Exception {
    TimeSource time = TimeSource.system();
    ClientRun<S> run = new ClientRun<>(arguments, application, time);
    Thread.ofPlatform().daemon().name("commands").start(() -> obey(commands, run));
    List<ClientRun.Finished> finished;
    try (ScheduledExecutorService progress =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory())) {
      var _ =
          progress.scheduleAtFixedRate(
              () ->
                  System.err.printf(
                      "progress %d of %d calls, %d without a reply%n",
                      run.made(), arguments.calls(), run.failed()),
              1,
              1,
              TimeUnit.SECONDS);
      finished = run.run();
      progress.shutdownNow();
    }
    RunSummary summary = run.summary(finished, time.epochNanos());
    if (arguments.probes().isPresent()) {
      writeProbes(run.probes(), finished, arguments.probes().get());
    }
    if (arguments.summary().isPresent()) {
      writeJson(summary, arguments.summary().get());
    }
    if (arguments.failovers().isPresent()) {
      List<FaultRecord> faults =
          finished.stream().flatMap(ClientRun::metFault).map(FaultRecord::of).toList();
      writeJson(faults, arguments.failovers().get());
    }
    if (arguments.acknowledged().isPresent()) {
      replace(
          arguments.acknowledged().get(),
          finished.stream()
              .flatMap(client -> client.acknowledged().stream())
              .map(told -> told.line() + "\n")
              .collect(Collectors.joining()));
    }
    return summary;
  }

  /** The end of the input, where there is nobody to command, ends nothing. */
  private static void obey(InputStream commands, ClientRun<?> run) {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(commands, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.strip().equals("end")) {
          run.end();
        }
      }
    } catch (IOException e) {
      // Nobody commands any more.
    }
  }

  /** Writes the probes of the measured calls, without those of the warm-up. */
  private static void writeProbes(Probes probes, List<ClientRun.Finished> finished, Path file)
      throws IOException {
    probes.write(file);
    Map<String, Long> lastOfWarmUp = new HashMap<>();
    for (ClientRun.Finished client : finished) {
      lastOfWarmUp.put(Long.toHexString(client.number()), client.warmUp());
    }
    try (Stream<String> lines = Files.lines(file)) {
      List<String> kept = lines.filter(line -> isMeasured(line, lastOfWarmUp)).toList();
      replace(file, String.join("\n", kept) + "\n");
    }
  }

  private static boolean isMeasured(String line, Map<String, Long> lastOfWarmUp) {
    String[] columns = line.split(",", -1);
    Long last = lastOfWarmUp.get(columns[CLIENT_COLUMN]);
    return last == null || Long.parseLong(columns[SEQUENCE_COLUMN]) > last;
  }

  private static void writeJson(Object value, Path file) throws IOException {
    replace(
        file,
        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n");
  }

  private static void replace(Path file, String text) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Path part = Files.createTempFile(folder, "seven", ".part");
    try {
      Files.writeString(part, text, StandardCharsets.UTF_8);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
