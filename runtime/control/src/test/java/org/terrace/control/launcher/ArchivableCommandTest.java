package org.terrace.control.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchivableCommandTest {
  @TempDir Path folder;

  private Path jar() throws IOException {
    return Files.writeString(folder.resolve("shop.jar"), "a program");
  }

  @Test
  void onlyJavaWithAClassPathOfFilesIsArchived() throws Exception {
    String jar = jar().toString();

    assertThat(ArchivableCommand.parse(List.of("java", "-cp", jar, "shop.Main"))).isPresent();
    assertThat(ArchivableCommand.parse(List.of("/usr/bin/java", "-jar", jar, "x"))).isPresent();
    assertThat(ArchivableCommand.parse(List.of("java", "-cp", folder + "/*", "shop.Main")))
        .hasValueSatisfying(found -> assertThat(found.classPath()).containsExactly(Path.of(jar)));
    assertThat(ArchivableCommand.parse(List.of("java", "-cp", folder.toString(), "shop.Main")))
        .isEmpty();
    assertThat(ArchivableCommand.parse(List.of("python3", "-cp", jar, "shop.Main"))).isEmpty();
    assertThat(ArchivableCommand.parse(List.of("java", "-Xshare:off", "-cp", jar, "shop.Main")))
        .isEmpty();
  }

  @Test
  void argumentsOfTheProgramNeedNoArchiveOfTheirOwn() throws Exception {
    String jar = jar().toString();
    String first = fingerprint(List.of("java", "-cp", jar, "shop.Main", "shop-1"));

    assertThat(fingerprint(List.of("java", "-cp", jar, "shop.Main", "shop-2"))).isEqualTo(first);
    assertThat(fingerprint(List.of("java", "-Xmx64m", "-cp", jar, "shop.Main", "shop-1")))
        .isNotEqualTo(first);
    Files.writeString(Path.of(jar), "another program");
    assertThat(fingerprint(List.of("java", "-cp", jar, "shop.Main", "shop-1"))).isNotEqualTo(first);
  }

  private static String fingerprint(List<String> words) {
    return ArchivableCommand.parse(words).orElseThrow().fingerprint();
  }
}
