package org.terrace.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are written where a rename replaces none. */
class KeptFileTest {
  private static final String FILE = "trial=shop/findings.json";

  @TempDir private Path folder;

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
