package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.TrialOptions;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;
import org.terrace.specification.Keep;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.SpecificationReader;

/** The keys of trials on machines and with installed programs that change. */
@Tag("real-processes")
class SurroundingsTest {
  private static final List<String> DEBIAN =
      List.of(
          "usr/sbin/mariadbd",
          "usr/lib/mysql/plugin/ha_spider.so",
          "usr/lib/galera/libgalera_smm.so",
          "usr/bin/garbd",
          "usr/sbin/apache2",
          "usr/lib/apache2/modules/mod_proxy.so");

  @TempDir private Path folder;

  /** The reason for which a mesh ended, if it did before its end. */
  private Optional<String> refusal = Optional.empty();

  private static MeshSpecification mesh(String more) {
    return mesh("1/1/0/1", more);
  }

  private static MeshSpecification mesh(String topology, String more) {
    return SpecificationReader.readMesh(
        "mesh.yaml",
        """
        kind: Mesh
        name: surrounded
        topologies: ["%s"]
        load: {closed: {users: 10, think: exp(1s)}, mix: read-write}
        phases: {run: 10s}
        observe: {packets: false}
        """
                .formatted(topology)
            + more);
  }

  private TrialOptions options() {
    return new TrialOptions(Path.of("java"), "gone", "gone", "gone");
  }

  /** The key of the one trial of a mesh on this machine, with the programs in the folder. */
  private String key(MeshSpecification mesh) {
    return here(mesh).key(mesh.trials().getFirst());
  }

  private Surroundings here(MeshSpecification mesh) {
    return here(mesh, "");
  }

  private Surroundings here(MeshSpecification mesh, String javaOptions) {
    Map<String, String> environment =
        Map.of(
            "JAVA_TOOL_OPTIONS", javaOptions,
            "TERRACE_POSTGRES_HOME", folder.resolve("postgres").toString(),
            "TERRACE_MARIADB_HOME", folder.resolve("mariadb").toString(),
            "TERRACE_CACHE", folder.resolve("cache").toString());
    return Surroundings.of(options(), mesh, environment, folder.resolve("system"));
  }

  private void install(String text, String... files) throws IOException {
    for (String file : files) {
      Path path = folder.resolve(file);
      Files.createDirectories(path.resolveSibling("."));
      Files.writeString(path, text);
    }
  }

  private void installAll() throws IOException {
    install("1", "postgres/bin/initdb", "postgres/bin/postgres", "postgres/bin/pg_ctl");
    install("1", "mariadb/bin/mariadbd", "mariadb/share/english/errmsg.sys");
    install("1", "mariadb/share/mariadb_system_tables.sql");
    install("1", "mariadb/share/mariadb_system_tables_data.sql");
    for (String file : DEBIAN) {
      install("1", "system/" + file);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql, proxy, postgres/bin/postgres, mariadb/bin/mariadbd",
    "mariadb, proxy, mariadb/bin/mariadbd, postgres/bin/postgres",
    "mariadb, apache, system/usr/sbin/apache2, system/usr/bin/garbd",
    "postgresql, apache, system/usr/lib/apache2/modules/mod_proxy.so, mariadb/bin/mariadbd",
    "postgresql, proxy, postgres/bin/initdb, system/usr/sbin/apache2",
  })
  void aTrialIsAnotherWhenAnInstalledProgramIsThatItUses(
      String database, String web, String used, String unused) throws IOException {
    installAll();
    MeshSpecification trial = mesh("database: " + database + "\nweb: " + web + "\n");
    String before = key(trial);
    ProgramFiles files = here(trial).files();
    install("2", unused);
    assertThat(files.changed()).as("another program that it does not use").isEmpty();
    assertThat(key(trial)).as("another program that it does not use").isEqualTo(before);
    install("2", used);
    assertThat(files.changed()).contains(folder.resolve(used));
    assertThat(key(trial)).as("another program that it uses").isNotEqualTo(before);
    install("1", used);
    assertThat(key(trial)).as("the same program again").isEqualTo(before);
  }

  @Test
  void unpackedPackagesCountWhereNoneAreInstalled() throws IOException {
    installAll();
    for (String file : DEBIAN) {
      install("1", "cache/ndb-like/" + file);
    }
    String before = ndbKey();
    install("2", "cache/ndb-like/usr/bin/garbd");
    assertThat(ndbKey()).isEqualTo(before);
    install("2", "system/usr/bin/garbd");
    assertThat(ndbKey()).isNotEqualTo(before);
    Files.delete(folder.resolve("system/usr/bin/garbd"));
    String unpacked = ndbKey();
    install("3", "cache/ndb-like/usr/bin/garbd");
    assertThat(ndbKey()).isNotEqualTo(unpacked);
  }

  private String ndbKey() {
    return key(mesh("1/1/1/2", "database: ndb-like\n"));
  }

  /** An ssh whose hosts are folders: the programs there are found before the system's. */
  private Target.Ssh hosts(String... names) throws IOException {
    Path ssh = folder.resolve("ssh");
    Files.writeString(
        ssh,
        """
        #!/bin/sh
        while [ "$1" != -- ]; do shift; done
        [ -d "%1$s/$2" ] || { echo "no route to $2"; exit 255; }
        export TERRACE_POSTGRES_HOME="%1$s/$2/postgres"
        PATH="%1$s/$2:$PATH" exec sh -c "$3"
        """
            .formatted(folder));
    executable(ssh);
    return new Target.Ssh(
        List.of(ssh.toString()),
        List.of(names).stream()
            .map(name -> new SshHost(name, name, "10.0.0." + name, List.of(), ""))
            .toList());
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void host(String name, String kernel) throws IOException {
    install("#!/bin/sh\necho " + kernel + "\n", name + "/uname");
    executable(folder.resolve(name + "/uname"));
  }

  /** Servers inherit them, and a collector or an interpreter of their choice with them. */
  @Test
  void aTrialIsAnotherWithOtherOptionsOfTheEnvironmentForJava() {
    MeshSpecification mesh = mesh("");
    Surroundings with = here(mesh, "-Xint");

    assertThat(with.key(mesh.trials().getFirst())).isNotEqualTo(key(mesh));
    assertThat(with.machine().toString()).as("it may hold a password").doesNotContain("-Xint");
  }

  /** The load generator inherits them here, wherever the servers run. */
  @Test
  void aTrialOnHostsIsAnotherWithOtherOptionsOfThisEnvironmentForJava() throws IOException {
    for (String name : List.of("1", "2", "3")) {
      host(name, "Linux 6.1");
    }
    TrialOptions options = options().on(hosts("1", "2", "3"));
    MeshSpecification mesh = mesh("");
    Surroundings without =
        Surroundings.of(options, mesh, Map.of("JAVA_TOOL_OPTIONS", ""), Path.of("/"));
    Surroundings with =
        Surroundings.of(options, mesh, Map.of("JAVA_TOOL_OPTIONS", "-Xint"), Path.of("/"));

    assertThat(with.key(mesh.trials().getFirst()))
        .isNotEqualTo(without.key(mesh.trials().getFirst()));
    assertThat(with.machine().toString()).as("it may hold a password").doesNotContain("-Xint");
  }

  @Test
  void aTrialIsAnotherWhenAHostOfItsServersIs() throws IOException {
    host("1", "Linux 6.1");
    host("2", "Linux 6.1");
    host("3", "Linux 6.1");
    Target.Ssh target = hosts("1", "2", "3", "4");
    MeshSpecification mesh = mesh("");
    Surroundings before = Surroundings.of(options().on(target), mesh);
    String key = before.key(mesh.trials().getFirst());
    assertThat(before.machine())
        .containsEntry("target", "ssh")
        .containsKeys("host 1", "host 2", "host 3", "kernel")
        .doesNotContainKey("host 4");
    assertThat(before.machine().get("host 2")).contains("kernel Linux 6.1").contains(" cores");
    assertThat(Surroundings.of(options().on(target), mesh).key(mesh.trials().getFirst()))
        .as("the same hosts")
        .isEqualTo(key);

    host("2", "Linux 7.0");

    assertThat(Surroundings.of(options().on(target), mesh).key(mesh.trials().getFirst()))
        .as("the kernel of a host")
        .isNotEqualTo(key);
  }

  /** Facts about the hosts of other servers, and options of ssh, decide no trial. */
  @Test
  void aTrialIsTheSameWithOtherHostsThatItDoesNotUseAndOtherOptions() throws IOException {
    for (String name : List.of("1", "2", "3", "4")) {
      host(name, "Linux 6.1");
    }
    Target.Ssh three = hosts("1", "2", "3");
    String key = key(three);
    Target.Ssh four = hosts("1", "2", "3", "4");
    List<String> options = List.of(four.command().getFirst(), "-o", "ConnectTimeout=5");

    assertThat(key(four)).as("a host that plays nothing").isEqualTo(key);
    assertThat(key(new Target.Ssh(options, three.hosts()))).as("an option").isEqualTo(key);

    assertThat(key(hosts("2", "1", "3"))).as("servers that change places").isNotEqualTo(key);
    assertThat(key(with(three, "10.0.0.9", ""))).as("an address").isNotEqualTo(key);
    assertThat(key(with(three, "10.0.0.1", "/opt/java"))).as("another Java").isNotEqualTo(key);
    assertThat(key(hosts("4", "2", "3"))).as("another host like it").isNotEqualTo(key);
  }

  /** The same hosts, of which the first has another address and Java. */
  private static Target.Ssh with(Target.Ssh target, String address, String java) {
    List<SshHost> hosts = new ArrayList<>(target.hosts());
    SshHost first = hosts.getFirst();
    hosts.set(0, new SshHost(first.name(), first.destination(), address, List.of(), java));
    return new Target.Ssh(target.command(), hosts);
  }

  private String key(Target.Ssh target) {
    MeshSpecification mesh = mesh("");
    return Surroundings.of(options().on(target), mesh).key(mesh.trials().getFirst());
  }

  /**
   * Runs the trials of a mesh, of which each begins, sees something happen, and is done.
   *
   * @return the trials that count
   */
  private int run(Target.Ssh target, MeshSpecification mesh, Happening happening)
      throws InterruptedException {
    int[] counted = {0};
    TrialWork work =
        (turn, place) -> {
          place.begin(turn.key());
          happening.happen();
          TrialRow row = MadeUpTrials.done(turn.planned(), 0.9);
          place.finish(turn.key(), row, Keep.DEFAULT);
          counted[0]++;
          return row;
        };
    Surroundings here = Surroundings.of(options().on(target), mesh);
    MeshRunner runner = new MeshRunner(_ -> here, work, MeshListener.SILENT, TimeSource.system());
    try {
      runner.run(mesh, "mesh", folder.resolve("out"));
    } catch (TerraceException e) {
      refusal = Optional.of(e.getMessage());
    }
    return counted[0];
  }

  private interface Happening {
    void happen();
  }

  @Test
  void aHostThatChangesWhileATrialRunsEndsTheMeshAndTheTrialDoesNotCount() throws Exception {
    for (String name : List.of("1", "2", "3")) {
      host(name, "Linux 6.1");
      install("1", name + "/postgres/bin/initdb", name + "/postgres/bin/pg_ctl");
      install("1", name + "/postgres/bin/postgres");
    }
    Target.Ssh target = hosts("1", "2", "3");

    assertThat(run(target, mesh(""), () -> {})).isEqualTo(1);
    assertThat(refusal).isEmpty();
    FileTree.delete(folder.resolve("out"));

    assertThat(run(target, mesh(""), () -> installed("2", "3/postgres/bin/postgres"))).isZero();
    assertThat(refusal.orElseThrow())
        .startsWith("the host 3 has changed since the mesh began (the programs of postgresql)");
    FileTree.delete(folder.resolve("out"));

    assertThat(run(target, mesh(""), () -> installed("#!/bin/sh\necho Linux 7\n", "2/uname")))
        .isZero();
    assertThat(refusal.orElseThrow())
        .startsWith("the host 2 has changed since the mesh began (it was ")
        .contains("kernel Linux 6.1", "kernel Linux 7");
  }

  /** Whoever is not there fails the trial that needs it, and its attempt is told. */
  @Test
  void aHostThatIsGoneIsLeftToTheTrialThatNeedsItUnlessOneIsDone() throws Exception {
    for (String name : List.of("1", "2", "3")) {
      host(name, "Linux 6.1");
    }
    Target.Ssh target = hosts("1", "2", "3");
    ProbedHosts hosts = Surroundings.of(options().on(target), mesh("")).hosts();
    Files.move(folder.resolve("2"), folder.resolve("away"));

    hosts.requireUnchanged(false);
    assertThatThrownBy(() -> hosts.requireUnchanged(true))
        .hasMessageContaining("the host 2 cannot be asked");
  }

  private void installed(String text, String file) {
    try {
      install(text, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aHostThatCannotBeAskedIsNamed() throws IOException {
    host("1", "Linux 6.1");
    Target.Ssh target = hosts("1", "2", "3");
    assertThatThrownBy(() -> Surroundings.of(options().on(target), mesh("")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the host 2 cannot be asked")
        .hasMessageContaining("no route to 2");
  }
}
