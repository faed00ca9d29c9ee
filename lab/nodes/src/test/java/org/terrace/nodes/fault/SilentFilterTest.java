package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Endpoints.Endpoint;

/** A packet filter's program that takes what it is told and does not tell what it has. */
@Timeout(60)
@Tag("real-processes")
@Tag("long")
class SilentFilterTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "exec sleep 1000, nft does not tell its rules: it did not end within 5000 ms",
    "exec yes, nft does not tell its rules: it printed more than 65536 bytes"
  })
  void aFilterWithoutAnAnswerIsRefusedSoon(String listing, String expected) throws Exception {
    Path program = folder.resolve("nft");
    Files.writeString(
        program,
        """
        #!/bin/sh
        [ "$1" != -i ] || exec cat >/dev/null
        echo $$ >>%s
        %s
        """
            .formatted(folder.resolve("started"), listing));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    PacketRules cut =
        new PacketRules(
            program.toString(),
            "cut",
            new Endpoint("web1", "127.18.1.1", 8080),
            List.of("input counter drop"));

    assertThatThrownBy(cut::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cut: packets of web1 cannot be dropped here (" + expected);
    for (String pid : Files.readAllLines(folder.resolve("started"))) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(left -> left.onExit().join());
    }
    assertThat(cut.end()).isEmpty();
  }
}
