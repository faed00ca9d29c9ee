package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFilesTest {
  @TempDir private Path folder;

  private Path lib;
  private Path jar;
  private Path own;

  @BeforeEach
  void write() throws IOException {
    lib = Files.createDirectories(folder.resolve("lib"));
    jar = Files.writeString(lib.resolve("a.jar"), "one");
    own = folder.resolve("Shop.java");
  }

  private ProgramFiles files() {
    return ProgramFiles.of(List.of(lib)).and(ProgramFiles.of(List.of(own)));
  }

  @Test
  void theSameBytesWrittenAnewAreNoChange() throws IOException {
    ProgramFiles files = files();
    Files.delete(jar);
    Files.writeString(jar, "one");
    assertThat(files.changed()).isEmpty();
  }

  @Test
  void otherBytesOfTheSameSizeAndTimeAreAChange() throws IOException {
    FileTime time = Files.getLastModifiedTime(jar);
    ProgramFiles files = files();
    Path copy = Files.writeString(folder.resolve("copy"), "two");
    Files.setLastModifiedTime(copy, time);
    Files.delete(jar);
    Files.move(copy, jar);
    assertThat(files.changed()).contains(jar);
  }

  @Test
  void aFileThatHasComeOrGoneIsAChange() throws IOException {
    ProgramFiles files = files();
    Files.writeString(own, "new");
    assertThat(files.changed()).contains(own);
    Files.delete(own);
    Path further = Files.writeString(lib.resolve("b.jar"), "further");
    assertThat(files.changed()).contains(further);
    Files.delete(further);
    Files.delete(jar);
    assertThat(files.changed()).contains(jar);
  }

  @Test
  void filesAreSeenThroughLinksEvenIfOneLeadsBack() throws IOException {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.move(jar, elsewhere.resolve("a.jar"));
    Files.delete(lib);
    Files.createSymbolicLink(lib, elsewhere);
    Files.createSymbolicLink(elsewhere.resolve("back"), elsewhere);
    ProgramFiles files = files();

    assertThat(files.digests(lib)).containsOnlyKeys("a.jar");
    Files.writeString(elsewhere.resolve("a.jar"), "two");
    assertThat(files.changed()).contains(jar);
  }
}
