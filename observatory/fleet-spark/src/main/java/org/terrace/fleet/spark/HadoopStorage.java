package org.terrace.fleet.spark;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.fleet.FleetStorage;

/**
 * A folder in any file system that Spark reaches: of the machines' own, HDFS, object stores. Goes
 * to other machines with the settings of its file system. Thread-safe.
 */
final class HadoopStorage implements FleetStorage {
  /** The form in which this process gives names to the files of its machine. */
  private static final Charset OF_NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));

  private static final String UNFINISHED = ".tmp";
  private static final long NANOS_A_MILLI = 1_000_000;
  private static final long SURELY_LEFT_MILLIS = 3_600_000;

  private final String root;
  private transient Configuration settings;

  private HadoopStorage(String root, Configuration settings) {
    this.root = root;
    this.settings = settings;
  }

  /**
   * A folder by its path or URI. A path that is relative is so to this process; another would take
   * it from its own working directory.
   */
  static HadoopStorage of(String root, Configuration settings) {
    Path path = new Path(root);
    if (path.isUriPathAbsolute()) {
      return new HadoopStorage(root, settings);
    }
    try {
      return new HadoopStorage(
          path.getFileSystem(settings).makeQualified(path).toString(), settings);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          root + ": its file system cannot be reached (" + e.getMessage() + "). Name another path.",
          e);
    }
  }

  @Override
  public List<String> list(String folder) throws IOException {
    Path path = new Path(root, folder);
    try {
      return Arrays.stream(files(path).listStatus(path))
          .map(FileStatus::getPath)
          .map(Path::getName)
          .sorted()
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  @Override
  public SeekableByteChannel open(String file) throws IOException {
    Path path = new Path(root, file);
    FileSystem files = files(path);
    try {
      return new Bytes(files.open(path), files.getFileStatus(path).getLen());
    } catch (FileNotFoundException e) {
      NoSuchFileException missing = new NoSuchFileException(path.toString());
      missing.initCause(e);
      throw missing;
    }
  }

  /** The bytes of a file; -1 if it is not there. */
  long size(String file) throws IOException {
    Path path = new Path(root, file);
    try {
      return files(path).getFileStatus(path).getLen();
    } catch (FileNotFoundException e) {
      return -1;
    }
  }

  /**
   * Writes a text as a file that appears whole, in place of an older one. Whoever writes the same
   * file at the same time, as two tries of one task may, writes the same text.
   *
   * @param attempt what no other writer calls itself at the same time
   */
  void write(String file, String text, String attempt) throws IOException {
    Path path = new Path(root, file);
    FileSystem files = files(path);
    Path unfinished = new Path(path.getParent(), prefix(path) + attempt + UNFINISHED);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean written = false;
    try {
      files.mkdirs(path.getParent());
      try (FSDataOutputStream out = files.create(unfinished, true)) {
        out.write(bytes);
      }
      written = files.rename(unfinished, path);
      if (!written && files.exists(unfinished)) {
        if (holds(files, path, bytes)) {
          return; // Another try was first, and what it wrote may be read already.
        }
        // Some file systems replace no file by a rename.
        files.delete(path, false);
        written = files.rename(unfinished, path);
      }
    } finally {
      if (!written) {
        files.delete(unfinished, false);
      }
    }
    if (!written) {
      throw new IOException(path + ": it cannot be given its name");
    }
  }

  private static boolean holds(FileSystem files, Path path, byte[] bytes) throws IOException {
    if (!files.exists(path) || files.getFileStatus(path).getLen() != bytes.length) {
      return false;
    }
    try (FSDataInputStream in = files.open(path)) {
      return Arrays.equals(in.readAllBytes(), bytes);
    }
  }

  private static String prefix(Path path) {
    return "." + path.getName() + ".";
  }

  /**
   * Removes what writers of a file have left that were killed: those whose attempts begin with this
   * word, and any others that have not written for an hour.
   *
   * @param attempts the beginning of the names of attempts of which none writes any more
   */
  void removeUnfinished(String file, String attempts, TimeSource time) throws IOException {
    Path path = new Path(root, file);
    FileSystem files = files(path);
    long latestMillis = time.epochNanos() / NANOS_A_MILLI - SURELY_LEFT_MILLIS;
    for (FileStatus each : files.listStatus(path.getParent())) {
      String name = each.getPath().getName();
      boolean isUnfinished = name.startsWith(prefix(path)) && name.endsWith(UNFINISHED);
      if (isUnfinished
          && (name.startsWith(prefix(path) + attempts)
              || each.getModificationTime() < latestMillis)) {
        files.delete(each.getPath(), false);
      }
    }
  }

  private FileSystem files(Path path) throws IOException {
    FileSystem files = path.getFileSystem(settings);
    // Without the hidden files of checksums that it would lay beside each file.
    if (files instanceof LocalFileSystem local) {
      checkForm(path.toUri().getPath(), OF_NAMES);
      return local.getRawFileSystem();
    }
    return files;
  }

  /** Checks that a name has a form here: the file system would write a question mark instead. */
  static void checkForm(String path, Charset ofNames) {
    if (!ofNames.newEncoder().canEncode(path)) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          path
              + ": the locale of this process has no form for this name, only for those in "
              + ofNames
              + ". Start Spark on each machine with LC_ALL=C.UTF-8.");
    }
  }

  @Override
  public String toString() {
    return root;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    settings.write(new DataOutputStream(out));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    settings = new Configuration(false);
    settings.readFields(new DataInputStream(in));
  }

  /** The bytes of an open file. */
  private static final class Bytes implements SeekableByteChannel {
    private final FSDataInputStream in;
    private final long size;
    private long position;
    private boolean isOpen = true;

    Bytes(FSDataInputStream in, long size) {
      this.in = in;
      this.size = size;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      if (!isOpen) {
        throw new ClosedChannelException();
      }
      byte[] bytes = new byte[into.remaining()];
      int read = in.read(position, bytes, 0, bytes.length);
      if (read > 0) {
        into.put(bytes, 0, read);
        position += read;
      }
      return read;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
      position = newPosition;
      return this;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public int write(ByteBuffer from) {
      throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
      throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
      return isOpen;
    }

    @Override
    public void close() throws IOException {
      isOpen = false;
      in.close();
    }
  }
}
