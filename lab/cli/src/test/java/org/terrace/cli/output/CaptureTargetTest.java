package org.terrace.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

class CaptureTargetTest {
  @TempDir private Path folder;

  @Test
  void anEarlierCaptureIsKept() throws IOException {
    Path earlier = Files.writeString(folder.resolve("monday.pcapng"), "packets");

    assertThatThrownBy(() -> CaptureTarget.choose(earlier, false))
        .isInstanceOfSatisfying(
            TerraceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT))
        .hasMessageContaining("monday.pcapng")
        .hasMessageContaining("--replace");
    assertThat(earlier).hasContent("packets");
    assertThat(CaptureTarget.choose(earlier, true)).isEqualTo(earlier);
  }

  @Test
  void aNewOrEmptyFileAndADeviceAreTaken() throws IOException {
    Path fresh = folder.resolve("new.pcapng");
    Path empty = Files.createFile(folder.resolve("empty.pcapng"));

    assertThat(CaptureTarget.choose(fresh, false)).isEqualTo(fresh);
    assertThat(CaptureTarget.choose(empty, false)).isEqualTo(empty);
    assertThat(CaptureTarget.choose(Path.of("/dev/null"), false)).isEqualTo(Path.of("/dev/null"));
  }

  @Test
  void withoutANameTheFirstFreeOneIsTaken() {
    Path chosen = CaptureTarget.choose(null, false);

    assertThat(chosen.toString()).matches("capture(-\\d+)?\\.pcapng");
    assertThat(chosen).doesNotExist();
  }
}
