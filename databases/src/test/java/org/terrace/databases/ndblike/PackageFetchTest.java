package org.terrace.databases.ndblike;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/** Packages that apt fetches, by a process whose cache and network are the test's. */
@Tag("real-processes")
@Tag("untimed")
class PackageFetchTest {
  /** A port at which nobody is a proxy. */
  private static final String NO_NETWORK = "http://127.0.0.1:9";

  @TempDir Path cache;

  @BeforeEach
  void enter() throws IOException {
    assumeThat(Path.of("/usr/bin/apt-get")).exists();
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The program of the process. */
  static final class Fetching {
    private Fetching() {}

    public static void main(String[] arguments) {
      try {
        PackageFetch.fetch(System.out::println);
      } catch (TerraceException e) {
        System.out.println(e.getMessage());
        System.exit(e.code().exitCode());
      }
    }
  }

  private String fetch(Map<String, String> environment, int exitCode) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.small(List.of(), Fetching.class)).redirectErrorStream(true);
    builder.environment().put("TERRACE_CACHE", cache.toString());
    builder.environment().putAll(environment);
    Process process = Keeper.ofThisProcess().start(builder);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    return said;
  }

  @Test
  void withoutANetworkThePackageIsNamedAndNothingIsLeft() throws Exception {
    assumeThat(NdbLikePrograms.missing()).as("not installed").isNotEmpty();
    String said = fetch(Map.of("http_proxy", NO_NETWORK, "https_proxy", NO_NETWORK), 3);

    assertThat(said).contains("package", "mariadb-server-core", "apt-get update");
    try (Stream<Path> left = Files.list(cache)) {
      assertThat(left.map(file -> file.getFileName().toString())).doesNotContain("ndb-like");
    }
    try (Stream<Path> left = Files.list(cache)) {
      assertThat(left.filter(file -> file.getFileName().toString().startsWith("unpacking")))
          .isEmpty();
    }
  }
}
