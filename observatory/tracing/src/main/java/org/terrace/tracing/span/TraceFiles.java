package org.terrace.tracing.span;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.RequestTable;
import tools.jackson.core.JacksonException;

/**
 * The files of tracing systems: OpenTelemetry's JSON and protobuf, Jaeger's JSON, Zipkin's second
 * format, each as it is or compressed by gzip. What a file is, its first bytes tell, never its
 * name.
 *
 * <p>A file that is missing, damaged or of another kind gives a {@link TerraceException} that names
 * it, the place and what was expected. Takes some 500 bytes of memory a span. Stateless and
 * thread-safe.
 */
public final class TraceFiles {
  private static final int LOOKED_AT = 4096;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int PROTOBUF_FIRST = 10;
  private static final int PROTOBUF_SECOND_FIELD = 2 << 3 | 2;

  private TraceFiles() {}

  /**
   * Whether a file seems to hold traces: it begins with an object or an array of JSON, or with
   * spans in protobuf. A file that cannot be read holds none.
   */
  public static boolean holdsTraces(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream input = unpacked(file)) {
      return isProtobuf(input) || first(input) == '{' || first(input) == '[';
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads files as one, such as those of one day. */
  public static TraceReadResult read(List<Path> files) {
    SpanList spans = new SpanList();
    for (Path file : files) {
      try (InputStream input = unpacked(file)) {
        read(input, spans);
      } catch (IOException e) {
        throw unreadable(file, String.valueOf(e.getMessage()), e);
      }
    }
    TraceReadResult result = SpanRequests.of(spans);
    if (result.requests().size() == 0) {
      throw unreadable(
          files.getFirst(),
          "there are no requests in " + result.spans() + " spans " + result.notes(),
          null);
    }
    return result;
  }

  /** Writes requests into a file, which appears whole or not at all, in the format of its name. */
  public static void write(Path file, RequestTable requests) {
    TraceFormat format = formatOf(file);
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(partial))) {
        format.writer().write(requests, output);
      }
      Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | JacksonException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          file + ": it cannot be written: " + e.getMessage() + ". Free space, or write elsewhere.",
          e);
    }
  }

  /** The format that a file's name asks for. */
  public static TraceFormat formatOf(Path file) {
    TraceFormat format = TraceFormat.ofName(file.toString());
    if (format == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file
              + ": the end of its name must tell the format: "
              + Stream.of(TraceFormat.values())
                  .map(TraceFormat::ending)
                  .collect(Collectors.joining(", ")));
    }
    return format;
  }

  /** Reads the spans of a stream that supports marks. */
  static void read(InputStream input, SpanList spans) throws IOException {
    if (isProtobuf(input)) {
      new OtlpProtobufReader(spans).read(input);
    } else {
      readJson(new JsonInput(input), spans);
    }
  }

  private static void readJson(JsonInput json, SpanList spans) throws IOException {
    boolean known = false;
    while (json.next()) {
      if (json.atArray()) {
        new ZipkinReader(json, spans).array();
        known = true;
      } else {
        known |= readObject(json, spans);
      }
    }
    if (!known) {
      throw json.expected(
          "OpenTelemetry's resourceSpans, Jaeger's data or an array of Zipkin's spans");
    }
  }

  private static boolean readObject(JsonInput json, SpanList spans) throws IOException {
    boolean[] known = {false};
    json.object(field -> {
      switch (field) {
        case "resourceSpans", "batches" -> {
          new OtlpJsonReader(json, spans).resourceSpans();
          known[0] = true;
        }
        case "result" -> known[0] |= readObject(json, spans);
        case "data" -> {
          new JaegerReader(json, spans).data();
          known[0] = true;
        }
        default -> {}
      }
    });
    return known[0];
  }

  private static InputStream unpacked(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("there is no such file; expected traces");
    }
    InputStream raw = new BufferedInputStream(Files.newInputStream(file));
    try {
      byte[] magic = peek(raw, 2);
      return magic.length == 2
              && (magic[0] & 0xFF) == GZIP_FIRST
              && (magic[1] & 0xFF) == GZIP_SECOND
          ? new BufferedInputStream(new GZIPInputStream(raw))
          : raw;
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  private static byte[] peek(InputStream input, int size) throws IOException {
    input.mark(size);
    byte[] bytes = input.readNBytes(size);
    input.reset();
    return bytes;
  }

  /** The first character that is no white space nor a mark of byte order; 0 if there is none. */
  private static int first(InputStream input) throws IOException {
    for (byte each : peek(input, LOOKED_AT)) {
      if (each >= 0 && !Character.isWhitespace(each)) {
        return each;
      }
    }
    return 0;
  }

  /**
   * Whether a stream begins with the spans of a resource, which is field 1, and has the tag of a
   * field 2 behind it. A pcapng begins with the same byte 10, and a text with a line feed may.
   */
  private static boolean isProtobuf(InputStream input) throws IOException {
    byte[] bytes = peek(input, LOOKED_AT);
    if (bytes.length < 3 || bytes[0] != PROTOBUF_FIRST || startsPcapng(bytes)) {
      return false;
    }
    for (byte each : bytes) {
      if (each == PROTOBUF_SECOND_FIELD) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsPcapng(byte[] bytes) {
    return Arrays.equals(bytes, 0, 3, new byte[] {10, 13, 13}, 0, 3);
  }

  private static TerraceException unreadable(Path file, String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        file + ": " + why + ". Expected traces of OpenTelemetry (OTLP), Jaeger or Zipkin.",
        cause);
  }
}
