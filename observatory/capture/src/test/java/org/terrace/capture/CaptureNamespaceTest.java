package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
@Tag("untimed")
class CaptureNamespaceTest {
  private CommandAsUser nobody;

  @BeforeEach
  void rootCanBecomeNobody() throws Exception {
    Optional<String> obstacle = CommandAsUser.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle.orElse(""));
    nobody = CommandAsUser.prepare();
  }

  @AfterEach
  void deleteCopies() throws Exception {
    if (nobody != null) {
      nobody.delete();
    }
  }

  @Test
  void anOrdinaryUserCapturesInsideANamespaceOfItsOwn() throws Exception {
    CommandAsUser.Result rights = nobody.run(RightsCommand.class);
    assumeTrue(
        rights.output().contains("namespace true"),
        "the kernel refuses namespaces: " + rights.output());
    assertThat(rights.output()).contains("builtIn false").contains("CAP_NET_RAW");
    assumeTrue(
        rights.output().contains("program Optional.empty"),
        "a capturing program has rights of its own here: " + rights.output());
    Path file = nobody.folder().resolve("capture.pcapng");

    CommandAsUser.Result result =
        nobody.run(NamespaceCommand.class, file.toString(), "two words", "ünïcode", "");

    assertThat(result.output())
        .contains("placement NAMESPACE user 65534")
        .contains("words " + file + "|two words|ünïcode|\n")
        .contains("method BUILT_IN written 1000");
    List<String> starts = result.output().lines().filter(line -> line.startsWith("start")).toList();
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1)).as("the same process").isEqualTo(starts.get(0));
    assertThat(result.exitCode()).isEqualTo(NamespaceCommand.EXIT_CODE);
    assertThat(PcapngText.read(file).packets).hasSize(1000);
    assertThat(Files.getOwner(file).getName()).isEqualTo("nobody");
  }

  @Test
  void aFalseGuardIsToldInsteadOfFollowed() throws Exception {
    ProcessBuilder builder = nobody.builder(List.of(), NamespaceCommand.class, "unused");
    builder.environment().put(CaptureNamespace.ENVIRONMENT, "1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isNotZero();
    assertThat(output).contains("TERRACE_NAMESPACE=1").contains("unset");
  }

  @Test
  void whereNamespacesAreRefusedTheOneCommandIsNamed() throws Exception {
    // Inside a namespace whose own limit of namespaces is zero, this kernel refuses a further one.
    Process process =
        nobody
            .builder(
                List.of(
                    "unshare",
                    "--user",
                    "--map-root-user",
                    "--",
                    "sh",
                    "-c",
                    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"",
                    "sh"),
                NamespaceCommand.class,
                "unused")
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isNotZero();
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    assertThat(output)
        .contains("CAP_NET_RAW is missing")
        .contains("user.max_user_namespaces = 0")
        .contains("sudo sysctl -w user.max_user_namespaces=15000");
  }
}
