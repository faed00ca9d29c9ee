package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.ValidityCheck;
import org.terrace.hosts.Target;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.bottleneck.ResourceSaturation;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

/** Bottlenecks of real servers that are known beforehand, and what a mesh calls them. */
@Tag("real-processes")
@Tag("long")
@Timeout(400)
class PlantedBottleneckTest {
  private static final String FEW = "[8, 24]";

  @TempDir private Path directory;

  /** Whether no trial so far said that others used the machine. */
  private boolean hadRoom = true;

  /** The requests of the last trial. */
  private int requests;

  @Test
  void theOneServerThatIsHeldBackIsNamed() throws Exception {
    try (CpuLimits limits = CpuLimits.open()) {
      Assumptions.assumeTrue(limits.warning().isEmpty(), limits.warning()::toString);
    }
    Bottleneck found =
        bottleneck("processor", "127.44", "[2, 60]", "limits: {app1: {cpu: 0.2}}", "15s", "1s");

    Assumptions.assumeTrue(
        hadRoom || found.kind() != Kind.NO_HARDWARE,
        "others used the machine: the server was not given what its limit lets it have");
    // Throughout, if the machine gives the server the little that its limit lets it have.
    assertThat(found.kind()).as(found.words()).isIn(Kind.SINGLE, Kind.PARTIAL);
    assertThat(found.resources())
        .extracting(ResourceSaturation::node, ResourceSaturation::resource)
        .containsExactly(tuple("app1", "cpu"));
  }

  @Test
  void aLockThatAllRequestsPassIsSuspectedWhereNoHardwareIsSaturated() throws Exception {
    Bottleneck found =
        bottleneck(
            "lock", "127.45", FEW, "limits: {app: {cpu: 1, disk: 4m, memory: 256m}}", "12s", "1s");

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.NO_HARDWARE);
    assertThat(found.kind().sentence()).contains("suspect serialisation");
  }

  @Test
  void aServerThatTakesItsConnectionsOneByOneIsNamedByTheQueueOfThoseThatWait() throws Exception {
    Bottleneck found = bottleneck("door", "127.47", "[16, 48]", "", "12s", "500ms");

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.NO_HARDWARE);
    assertThat(found.suspects())
        .extracting(ResourceSaturation::node, ResourceSaturation::resource)
        .contains(tuple("app1", "accept-queue"));
    assertThat(found.words()).contains("soft limit: accept-queue of app");
  }

  @Test
  void disksThatAreSaturatedByTurnsAreCalledOscillatory() throws Exception {
    Bottleneck found =
        bottleneck("disk", "127.46", FEW, "limits: {app: {disk: 1m}}", "40s", "500ms");

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.OSCILLATORY);
    assertThat(found.resources())
        .extracting(ResourceSaturation::node, ResourceSaturation::resource)
        .containsExactlyInAnyOrder(tuple("app1", "disk"), tuple("app2", "disk"));
  }

  @Test
  void aServerWithASlowLinkIsNamedByItsNetwork() throws Exception {
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(
        JavaCommand.small(List.of("-Xmx256m"), PlantedNetworkProgram.class, directory.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isGreaterThanOrEqualTo(0);
    Assumptions.assumeFalse(
        output.contains("unshare failed") || output.contains("install it with"), output);

    assertThat(output.lines())
        .as(output)
        .contains("limited true", "saturated app1 network")
        .anyMatch(line -> line.equals("kind single") || line.equals("kind partial"));
    assertThat(output.lines().filter(line -> line.startsWith("saturated "))).hasSize(1);
    System.out.println(output);
  }

  /**
   * The bottleneck under the greater of two loads. Trials count though other programs use the
   * machine, as they do while tests run.
   */
  private Bottleneck bottleneck(
      String need, String network, String users, String limits, String run, String sample)
      throws InterruptedException {
    String text = specification(need, network, users, limits, run, sample);
    BottleneckMap map = map(text, directory, new Target.Local(), this::look);
    MappedCell most = map.cells().getLast();
    System.out.printf("%s: %s%n", need, map.cells());
    // Requests that wait when the run ends count as failed: no more than there are users.
    assertThat(most.errorShare())
        .as("of %d requests", requests)
        .isLessThan(0.05 + (double) most.users() / requests);
    assertThat(most.limited()).as("%s", map.cells()).isTrue();
    return most.bottleneck();
  }

  private void look(Trial trial) {
    requests = trial.clientRequests().size();
    hadRoom &=
        trial.validity().stream()
            .filter(check -> check.check().equals("machine-room"))
            .allMatch(ValidityCheck::passed);
  }

  /** A mesh of two servers of the same need, by the address of their network and their load. */
  static String specification(
      String need, String network, String users, String limits, String run, String sample) {
    return """
    kind: Mesh
    name: planted
    topologies: [0/2/0/0]
    tiers:
      app:
        command: ['%s', -XX:TieredStopAtLevel=1, -Xmx64m, -cp, '%s', org.terrace.mesh.PlantedServer, %s]
        ready: {http: /health}
    load: {closed: {users: %s, think: exp(20ms)}, mix: [{path: /work, weight: 1}]}
    phases: {rampUp: 2s, run: %s, rampDown: 1s}
    observe: {packets: false, sample: %s}
    network: %s
    %s
    """
        .formatted(
            JavaCommand.program(),
            System.getProperty("java.class.path"),
            need,
            users,
            run,
            sample,
            network,
            limits);
  }

  /** The bottlenecks of a mesh whose trials are all run, each of which is shown. */
  static BottleneckMap map(String text, Path directory, Target target, Consumer<Trial> ran)
      throws InterruptedException {
    String file = directory.resolve("planted.yaml").toString();
    List<MeshTrial> rows = new ArrayList<>();
    for (PlannedTrial planned : SpecificationReader.readMesh(file, text).trials()) {
      String name = "users-" + planned.users();
      Trial trial = run(planned, directory.resolve(name), target);
      ran.accept(trial);
      rows.add(TrialMeasure.done(planned, name, trial));
    }
    return BottleneckMap.of(new Mesh("planted", Map.of(), rows), SaturationRules.DEFAULT, 1);
  }

  private static Trial run(PlannedTrial planned, Path directory, Target target)
      throws InterruptedException {
    String classpath = System.getProperty("java.class.path");
    TrialOptions options = new TrialOptions(JavaCommand.program(), classpath, classpath, classpath);
    try {
      return new TrialRunner(options.on(target), TrialListener.SILENT)
          .run(planned.experiment(), planned.specification(), directory);
    } catch (TerraceException e) {
      Assumptions.assumeFalse(
          String.valueOf(e.getMessage()).contains("cannot be limited here"), e.getMessage());
      throw e;
    }
  }
}
