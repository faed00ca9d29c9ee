package org.terrace.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
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

  /** A file system whose rename replaces nothing, as that of HDFS does not. */
  public static final class KeepingFileSystem extends RawLocalFileSystem {
    private static final List<String> DELETED = new ArrayList<>();

    @Override
    public URI getUri() {
      return URI.create("keep:///");
    }

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      return !exists(to) && super.rename(from, to);
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
      DELETED.add(path.getName());
      return super.delete(path, recursive);
    }
  }

  /** Whoever reads it may be at it. */
  @Test
  void whatAnotherTryOfTheSameTaskWroteStays() throws IOException {
    Configuration settings = new Configuration();
    settings.setClass("fs.keep.impl", KeepingFileSystem.class, FileSystem.class);
    HadoopStorage storage = HadoopStorage.of("keep://" + folder, settings);
    KeepingFileSystem.DELETED.clear();
    storage.write(FILE, "whole", "app-1-7");

    storage.write(FILE, "whole", "app-1-8");
    assertThat(KeepingFileSystem.DELETED).containsExactly(".findings.json.app-1-8.tmp");
    assertThat(folder.resolve(FILE)).hasContent("whole");

    storage.write(FILE, "newer", "app-2-1");
    assertThat(folder.resolve(FILE)).hasContent("newer");
    assertThat(folder.resolve("trial=shop"))
        .isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
  }
}
