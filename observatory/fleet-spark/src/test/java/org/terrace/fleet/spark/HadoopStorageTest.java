package org.terrace.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;

@Tag("real-processes")
@Tag("untimed")
class HadoopStorageTest {
  private static final String FILE = "trial=shop/findings.json";

  @TempDir private Path folder;

  private Path left(String name, boolean old) throws IOException {
    Path file = folder.resolve("trial=shop").resolve(name);
    Files.writeString(file, "half");
    if (old) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    }
    return file;
  }

  @Test
  void whatKilledWritersLeftIsRemovedAndWhatOthersWriteIsNot() throws IOException {
    HadoopStorage storage = HadoopStorage.of(folder.toString(), new Configuration());
    storage.write(FILE, "whole", "app-1-7");
    Path own = left(".findings.json.app-1-3.tmp", false);
    Path forgotten = left(".findings.json.app-0-3.tmp", true);
    Path underWay = left(".findings.json.app-2-3.tmp", false);
    Path another = left(".notes.tmp", true);

    storage.removeUnfinished(FILE, "app-1-", TimeSource.system());

    assertThat(own).doesNotExist();
    assertThat(forgotten).doesNotExist();
    assertThat(underWay).exists();
    assertThat(another).exists();
    assertThat(folder.resolve(FILE)).hasContent("whole");
  }
}
