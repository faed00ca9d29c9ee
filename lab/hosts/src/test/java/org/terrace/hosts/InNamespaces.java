package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/** Tests of programs that run as root of namespaces of their own. */
abstract class InNamespaces {
  @TempDir Path folder;

  /** The output of a program that runs as root of namespaces of its own. */
  String output(Class<?> program) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "ip (Debian: iproute2) is missing");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(JavaCommand.small(List.of("-Xmx96m"), program, folder.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
