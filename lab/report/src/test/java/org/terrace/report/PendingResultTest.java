package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.testing.OtherThread;

class PendingResultTest {
  @TempDir Path folder;

  private PendingResult begin(String name, boolean replace) {
    return PendingResult.begin(folder.resolve(name), replace, () -> true);
  }

  private void write(String name, String text, boolean replace) throws IOException {
    try (PendingResult result = begin(name, replace)) {
      Files.writeString(result.directory().resolve(FindingsFile.NAME), text);
      result.finish();
    }
  }

  @Test
  void aResultTakesItsNameOnlyWhenItIsComplete() throws IOException {
    try (PendingResult result = begin("out", false)) {
      Files.writeString(result.directory().resolve(FindingsFile.NAME), "half");
      assertThat(folder.resolve("out")).doesNotExist();
      result.finish();
    }

    assertThat(folder.resolve("out/findings.json")).hasContent("half");
    assertThat(folder.toFile().list()).containsExactly("out");
  }

  @Test
  void anEarlierResultIsRefusedAndKept() throws IOException {
    write("out", "first", false);

    assertThatThrownBy(() -> begin("out", false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("earlier result", "--replace", "--out");
    assertThat(folder.resolve("out/findings.json")).hasContent("first");
    assertThat(folder.toFile().list()).containsExactly("out");
  }

  @Test
  void aReplacedResultStaysUntilTheNewOneIsCompleteAndIsNotMixedWithIt() throws IOException {
    write("out", "first", false);
    Files.writeString(folder.resolve("out/capture.pcapng"), "packets of the first");

    try (PendingResult result = begin("out", true)) {
      Files.writeString(result.directory().resolve(FindingsFile.NAME), "second");
      assertThat(folder.resolve("out/findings.json")).hasContent("first");
      result.finish();
    }

    assertThat(folder.resolve("out/findings.json")).hasContent("second");
    assertThat(folder.resolve("out/capture.pcapng")).doesNotExist();
    assertThat(folder.toFile().list()).containsExactly("out");
  }

  @Test
  void aFailureLeavesTheEarlierResultAndItsOwnRemainsForALookUntilTheNextRun() throws IOException {
    write("out", "first", false);

    try (PendingResult result = begin("out", true)) {
      Files.writeString(result.directory().resolve("app1.log"), "why");
    }

    assertThat(folder.resolve("out/findings.json")).hasContent("first");
    assertThat(folder.resolve("out.unfinished/app1.log")).hasContent("why");
    write("out", "second", true);
    assertThat(folder.resolve("out/findings.json")).hasContent("second");
    assertThat(folder.resolve("out/app1.log")).doesNotExist();
    assertThat(folder.toFile().list()).containsExactly("out");
  }

  @Test
  void whatIsNotAResultIsNeverReplaced() throws IOException {
    Files.createDirectories(folder.resolve("home"));
    Files.writeString(folder.resolve("home/thesis.tex"), "years of work");
    Files.writeString(folder.resolve("file"), "a file");

    assertThatThrownBy(() -> begin("home", true)).hasMessageContaining("not a result");
    assertThatThrownBy(() -> begin("file", true)).hasMessageContaining("is a file");
    assertThat(folder.resolve("home/thesis.tex")).hasContent("years of work");
  }

  @Test
  void aDirectoryThatIsBeingWrittenIsRefused() {
    try (PendingResult first = begin("out", false)) {
      assertThat(first.directory()).exists();
      assertThatThrownBy(() -> begin("out", false)).hasMessageContaining("another command");
      assertThat(first.directory()).exists();
    }
  }

  @Test
  void aDefaultNameIsNumberedWhenItIsTaken() throws IOException {
    write("out", "first", false);
    write("out-2", "second", false);

    assertThat(PendingResult.firstFree(folder.resolve("out"))).isEqualTo(folder.resolve("out-3"));
    assertThat(PendingResult.firstFree(folder.resolve("new"))).isEqualTo(folder.resolve("new"));
  }

  @Test
  @Timeout(60)
  void anInterruptBarsTheNameThatAResultIsAboutToTake() throws Exception {
    Thread[] finishing = new Thread[1];
    PendingResult result =
        PendingResult.begin(
            folder.resolve("out"),
            false,
            () -> {
              finishing[0].start();
              OtherThread.await(() ->
                  finishing[0].getState() == Thread.State.BLOCKED
                      || finishing[0].getState() == Thread.State.TERMINATED);
              return true;
            });
    Files.writeString(result.directory().resolve(FindingsFile.NAME), "half removed");
    List<String> messages = new ArrayList<>();
    finishing[0] =
        Thread.ofPlatform()
            .unstarted(() -> {
              try {
                result.finish();
                messages.add("finished");
              } catch (TerraceException e) {
                messages.add(e.getMessage());
              }
            });

    result.discard();
    finishing[0].join();

    assertThat(messages).singleElement().asString().contains("interrupted");
    assertThat(folder.toFile().list()).isEmpty();
  }

  @Test
  void anInterruptLeavesAResultThatIsComplete() throws IOException {
    List<String> asked = new ArrayList<>();
    PendingResult result =
        PendingResult.begin(folder.resolve("out"), false, () -> asked.add("discard?"));
    Files.writeString(result.directory().resolve(FindingsFile.NAME), "whole");
    result.finish();

    result.discard();

    assertThat(asked).isEmpty();
    assertThat(folder.resolve("out/findings.json")).hasContent("whole");
  }

  @Test
  void aReplacementThatEndedBetweenItsTwoRenamesIsCompletedByTheNextCommand() throws IOException {
    write("out.replacing", "second", false);
    write("out.replaced", "first", false);

    assertThatThrownBy(() -> begin("out", false)).hasMessageContaining("earlier result");
    assertThat(folder.resolve("out/findings.json")).hasContent("second");
    assertThat(folder.resolve("out.replaced/findings.json")).hasContent("first");
    write("out", "third", true);

    assertThat(folder.resolve("out/findings.json")).hasContent("third");
    assertThat(folder.toFile().list()).containsExactly("out");
  }
}
