package org.terrace.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Demonstration;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.TrialOptions;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.specification.SpecificationReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace board}: the bulletin board to look at, or to load and capture by other means. */
@Command(
    name = "board",
    description = {
      "Serves the bulletin board of the experiments until Ctrl-C.",
      "It has a web server, two application servers and a PostgreSQL of its own, all on loopback,",
      "with a small data set: something to visit, to capture, or to point another load generator",
      "at. With an experiment it serves that one's servers, without its load and its faults."
    },
    footer = {
      "",
      "Examples:",
      "  terrace board",
      "  terrace board experiments/quickstart.yaml",
      "",
      "In a second terminal, a minute of its packets:",
      "  terrace capture --net 127.0.0.0/16 --for 1m --out board.pcapng"
    })
final class BoardCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "EXPERIMENT",
      arity = "0..1",
      description = "an experiment whose servers to start; default: web, two apps, database")
  private @Nullable Path specification;

  @Option(
      names = "--scale",
      defaultValue = "0.01",
      description =
          "size of the data, 1 is the published one; without an experiment; default:"
              + " ${DEFAULT-VALUE}")
  private double scale;

  @Option(
      names = "--network",
      paramLabel = "A.B",
      defaultValue = "127.0",
      description =
          "first two octets of the servers' addresses; without an experiment; default:"
              + " ${DEFAULT-VALUE}")
  private String network = "127.0";

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    Experiment experiment =
        specification == null
            ? SpecificationReader.read("the board", ownBoard())
            : SpecificationReader.read(specification);
    CountDownLatch asked = new CountDownLatch(1);
    Terrace.endInputOnInterrupt(asked::countDown);
    Path folder = temporaryFolder();
    try {
      new Demonstration(
              TrialOptions.ofHome(Home.folder()), new TrialProgress(console, experiment, folder))
          .run(experiment, folder, this::show, asked);
    } catch (TerraceException e) {
      if (asked.getCount() > 0) {
        throw e;
      }
      console.message("Ended while it was starting");
    } finally {
      console.endProgress();
      delete(folder);
    }
    return 0;
  }

  private String ownBoard() {
    return """
    kind: Experiment
    name: board
    topology: 1/2/0/1
    load: {closed: {users: 1, think: exp(7s)}, mix: read-write}
    phases: {rampUp: 1s, run: 1s, rampDown: 1s}
    data: {scale: %s, seed: 1}
    network: %s
    """
        .formatted(scale, network);
  }

  private void show(Demonstration.Visit visit) {
    for (Endpoint endpoint : visit.all()) {
      console.message("  %-12s %s:%d", endpoint.server(), endpoint.address(), endpoint.port());
    }
    for (Endpoint entrance : visit.entrances()) {
      console.headline("Visit http://" + entrance.address() + ":" + entrance.port() + "/");
    }
    console.message("Register there to write. Ctrl-C ends it, and nothing of it is kept.");
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("terrace-demonstration");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
