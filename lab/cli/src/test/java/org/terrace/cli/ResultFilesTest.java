package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.report.FindingsFile;

/** The files of a result, as those who share the machine find them. */
class ResultFilesTest {
  private static final Path CAPTURE =
      Path.of("../../observatory/protocols/src/test/resources/captures/http.pcap");

  @TempDir Path directory;

  @Test
  void everyFileMayBeReadByWhomTheUmaskLets() throws IOException {
    Path plain = Files.createFile(directory.resolve("plain"));
    Path out = analysed(CAPTURE);

    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.toList())
          .hasSizeGreaterThan(5)
          .allSatisfy(file ->
              assertThat(Files.getPosixFilePermissions(file))
                  .isEqualTo(Files.getPosixFilePermissions(plain)));
    }
  }

  @Test
  void whatACaptureLostIsInTheFindingsAndOnThePage() throws IOException {
    byte[] whole = Files.readAllBytes(CAPTURE);
    Path cut = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 7));

    Path out = analysed(cut);

    List<String> warnings = FindingsFile.read(out.resolve(FindingsFile.NAME)).warnings();
    assertThat(warnings).anyMatch(each -> each.contains("ends in the middle of a packet"));
    assertThat(out.resolve("report.html")).content().contains("ends in the middle of a packet");
  }

  private Path analysed(Path capture) {
    Path out = directory.resolve("out");
    assertThat(
            Terrace.commandLine()
                .execute("analyze", capture.toString(), "--quiet", "--csv", "--out=" + out))
        .isZero();
    return out;
  }
}
