package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The container file holds the release archive, starts it, and gives it no rights. */
class ContainerfileTest {
  private static final Path ROOT = SourceTree.root();
  private static final Path ARCHIVE = Path.of("terrace-0.1.0-linux-x86-64.tar.gz");
  private static final String START = "ENTRYPOINT [\"/opt/terrace/bin/terrace\"]";

  @Test
  void theImageIsTheArchiveRunByAnOrdinaryUser() throws IOException {
    assertThat(breaches(text())).isEmpty();
  }

  @Test
  void theCommandIsWhereTheArchiveHasIt() throws IOException {
    assertThat(Files.readString(ROOT.resolve("tools/release-archive")))
        .contains("cp \"$root/tools/release/terrace\" \"$home/bin/terrace\"")
        .contains("name=terrace-$version-$machine", "\"$work/$name.tar.gz\"");
  }

  @Test
  void plantedBreachesAreFound() throws IOException {
    String good = text();

    assertThat(breaches(good.replace("USER 10001:10001\n", "")))
        .containsExactly("the superuser runs it");
    assertThat(breaches(good + "USER root\n")).containsExactly("the superuser runs it");
    assertThat(breaches(good.replace("debian:12-slim\n", "debian:latest\n")))
        .containsExactly("FROM debian:latest");
    assertThat(breaches(good.replace("x86-64", "aarch64")))
        .containsExactly("ADD terrace-*-linux-aarch64.tar.gz /opt/");
    assertThat(breaches(good + "COPY secrets /work\n")).containsExactly("COPY secrets /work");
    assertThat(breaches(good.replace("bin/terrace", "terrace")))
        .containsExactly("the command is not started");
    assertThat(breaches(good.replace("Apache-2.0", ""))).containsExactly("no label of the licence");
  }

  private static String text() throws IOException {
    return Files.readString(ROOT.resolve("tools/release/Containerfile"));
  }

  private static List<String> breaches(String text) {
    List<String> found = new ArrayList<>();
    String user = "root";
    for (String line : text.replace("\\\n", " ").lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      switch (words[0]) {
        case "FROM" -> {
          if (!words[1].matches("[a-z]+:\\d[\\w.-]*")) {
            found.add(line);
          }
          user = "root";
        }
        case "ADD" -> {
          if (!isArchive(words[1])) {
            found.add(line);
          }
        }
        case "COPY" -> {
          if (!words[1].equals("--from=unpacked")) {
            found.add(line);
          }
        }
        case "USER" -> user = words[1];
        default -> {}
      }
    }
    if (!user.matches("[1-9]\\d*:[1-9]\\d*")) {
      found.add("the superuser runs it");
    }
    if (!text.contains(START)) {
      found.add("the command is not started");
    }
    if (!text.contains("org.opencontainers.image.licenses=\"Apache-2.0\"")) {
      found.add("no label of the licence");
    }
    return found;
  }

  private static boolean isArchive(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(ARCHIVE);
  }
}
