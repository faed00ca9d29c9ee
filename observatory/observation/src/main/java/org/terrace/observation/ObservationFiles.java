package org.terrace.observation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.table.ParquetTable;

/**
 * The files of an observation: one directory with one Parquet file a table, which DuckDB, pandas
 * and ClickHouse read as they are. Strings are dictionaries, whole numbers differences, pages
 * packed with Zstandard.
 *
 * <p>Files are written whole or not at all, with bounded memory. A file that is missing, damaged or
 * of another shape gives a {@link TerraceException} that names it and what was expected. Stateless
 * and thread-safe.
 */
public final class ObservationFiles {
  /** The file of the servers; without it, servers are named as the requests name them. */
  public static final String SERVERS = "servers.parquet";

  /** The file of the requests table. */
  public static final String REQUESTS = "requests.parquet";

  /** The file of the samples table; it may be missing. */
  public static final String SAMPLES = "samples.parquet";

  /** The file of the events table; it may be missing. */
  public static final String EVENTS = "events.parquet";

  /** The file of the connections table; it may be missing. */
  public static final String CONNECTIONS = "connections.parquet";

  /** The file of the requests table as CSV, where it was asked for. */
  public static final String REQUESTS_CSV = "requests.csv";

  /** The file of the connections table as CSV, where it was asked for. */
  public static final String CONNECTIONS_CSV = "connections.csv";

  /** The first bytes of a Parquet file. */
  private static final byte[] PARQUET = {'P', 'A', 'R', '1'};

  private static final RequestColumns REQUEST_COLUMNS = new RequestColumns();
  private static final ConnectionColumns CONNECTION_COLUMNS = new ConnectionColumns();
  private static final ParquetTable<Request> REQUEST_TABLE = new ParquetTable<>(REQUEST_COLUMNS);
  private static final ParquetTable<Server> SERVER_TABLE = new ParquetTable<>(new ServerColumns());
  private static final ParquetTable<Sample> SAMPLE_TABLE = new ParquetTable<>(new SampleColumns());
  private static final ParquetTable<Event> EVENT_TABLE = new ParquetTable<>(new EventColumns());
  private static final ParquetTable<ObservedConnection> CONNECTION_TABLE =
      new ParquetTable<>(CONNECTION_COLUMNS);
  private static final CsvTable<Request> REQUEST_CSV = new CsvTable<>(REQUEST_COLUMNS);
  private static final CsvTable<ObservedConnection> CONNECTION_CSV =
      new CsvTable<>(CONNECTION_COLUMNS);

  private ObservationFiles() {}

  /** Writes an observation into a directory, which is created if it is not there. */
  public static void write(Path directory, Observation observation) {
    writeServers(directory.resolve(SERVERS), observation.servers());
    writeRequests(directory.resolve(REQUESTS), observation.requests());
    writing(directory.resolve(SAMPLES), p -> SAMPLE_TABLE.write(p, observation.samples()));
    writing(directory.resolve(EVENTS), p -> EVENT_TABLE.write(p, observation.events()));
    writeConnections(directory.resolve(CONNECTIONS), observation.connections());
  }

  /**
   * Writes the requests and the connections into a directory as {@value #REQUESTS_CSV} and {@value
   * #CONNECTIONS_CSV}, for programs that read no Parquet. The directory is created if it is not
   * there.
   */
  public static void writeCsv(Path directory, Observation observation) {
    writing(
        directory.resolve(REQUESTS_CSV), p -> REQUEST_CSV.write(p, rows(observation.requests())));
    writing(
        directory.resolve(CONNECTIONS_CSV),
        p -> CONNECTION_CSV.write(p, observation.connections()));
  }

  /** Reads the observation that a directory holds. Only {@value #REQUESTS} must be there. */
  public static Observation read(Path directory) {
    RequestTable requests = readRequests(directory.resolve(REQUESTS));
    Path servers = directory.resolve(SERVERS);
    Path samples = directory.resolve(SAMPLES);
    Path events = directory.resolve(EVENTS);
    Path connections = directory.resolve(CONNECTIONS);
    return new Observation(
        Files.exists(servers) ? readingRows(servers, SERVER_TABLE) : serversOf(requests),
        requests,
        Files.exists(samples) ? readingRows(samples, SAMPLE_TABLE) : List.of(),
        Files.exists(events) ? readingRows(events, EVENT_TABLE) : List.of(),
        Files.exists(connections) ? readingRows(connections, CONNECTION_TABLE) : List.of());
  }

  /**
   * Reads an observation from whatever holds one: a directory as {@link #read(Path)} does, or a
   * single file of requests as {@link #readRequests(Path)} does.
   */
  public static Observation readAny(Path input) {
    if (Files.isDirectory(input)) {
      return read(input);
    }
    return of(readRequests(input));
  }

  /** An observation of nothing but requests, with servers as these name them. */
  public static Observation of(RequestTable requests) {
    return new Observation(serversOf(requests), requests, List.of(), List.of());
  }

  /** Whether a file of this name holds a table, by what it is called. */
  public static boolean holdsTable(Path file) {
    String name = lowerCaseName(file);
    return name.endsWith(".parquet") || name.endsWith(".csv") || name.endsWith(".csv.gz");
  }

  /**
   * Reads requests from a {@code .parquet}, {@code .csv} or {@code .csv.gz} file with the columns
   * of the requests table, in any order. Only {@code server}, {@code arrivalNanos} and {@code
   * departureNanos} must be there.
   */
  public static RequestTable readRequests(Path file) {
    if (!holdsTable(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + ": requests are read from .parquet, .csv and .csv.gz; rename or convert the file");
    }
    return lowerCaseName(file).endsWith(".parquet")
        ? reading(file, ObservationFiles::readRequestTable)
        : reading(file, path -> RequestCsv.read(path, REQUEST_COLUMNS));
  }

  /**
   * Reads events from Parquet or CSV; {@code .csv.gz} is unpacked. A CSV has the columns {@code
   * node}, {@code kind}, {@code start} and {@code end} (ISO 8601 with an offset) or {@code
   * startNanos} and {@code endNanos}; any other column is an attribute.
   *
   * @param node the node of events whose row names none; null if every row must name one
   */
  public static List<Event> readEvents(Path file, @Nullable String node) {
    return isParquet(file)
        ? readingRows(file, EVENT_TABLE)
        : reading(file, path -> EventCsv.read(path, node));
  }

  /** Whether a file is Parquet, by its name or its first bytes. */
  private static boolean isParquet(Path file) {
    if (lowerCaseName(file).endsWith(".parquet")) {
      return true;
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      return Arrays.equals(bytes.readNBytes(PARQUET.length), PARQUET);
    } catch (IOException e) {
      return false; // whoever reads it says so
    }
  }

  /**
   * Reads events from the bytes of a Parquet file, wherever they are.
   *
   * @param name the file's name for messages
   */
  public static List<Event> readEvents(SeekableByteChannel bytes, String name) {
    return readingRows(bytes, name, EVENT_TABLE);
  }

  /**
   * Reads servers from the bytes of a Parquet file, wherever they are.
   *
   * @param name the file's name for messages
   */
  public static List<Server> readServers(SeekableByteChannel bytes, String name) {
    return readingRows(bytes, name, SERVER_TABLE);
  }

  /** Reads samples from a {@code .parquet} file. */
  public static List<Sample> readSamples(Path file) {
    return readingRows(file, SAMPLE_TABLE);
  }

  /** Writes events into a {@code .parquet} file, in the order given. */
  public static void writeEvents(Path file, Iterable<Event> events) {
    writing(file, path -> EVENT_TABLE.write(path, events));
  }

  /** Writes samples into a {@code .parquet} file as they come: one is asked for at a time. */
  public static void writeSamples(Path file, Iterable<Sample> samples) {
    writing(file, path -> SAMPLE_TABLE.write(path, samples));
  }

  /** Writes servers into a {@code .parquet} file, in the order given. */
  public static void writeServers(Path file, Iterable<Server> servers) {
    writing(file, path -> SERVER_TABLE.write(path, servers));
  }

  /** Writes connections into a {@code .parquet} file, in the order given. */
  public static void writeConnections(Path file, Iterable<ObservedConnection> connections) {
    writing(file, path -> CONNECTION_TABLE.write(path, connections));
  }

  /** Writes requests into a {@code .parquet} file. */
  public static void writeRequests(Path file, RequestTable requests) {
    writing(file, path -> REQUEST_TABLE.write(path, rows(requests)));
  }

  /** The rows of a table, each made when it is asked for. */
  private static Iterable<Request> rows(RequestTable requests) {
    return () -> IntStream.range(0, requests.size()).mapToObj(requests::request).iterator();
  }

  private static RequestTable readRequestTable(Path file) throws IOException {
    RequestTable.Builder builder = new RequestTable.Builder();
    REQUEST_TABLE.read(file, builder);
    return builder.build();
  }

  /** Servers as the requests name them, in the order in which they were first called. */
  private static List<Server> serversOf(RequestTable requests) {
    Set<Integer> order = new LinkedHashSet<>();
    for (int row = 0; row < requests.size() && order.size() < requests.servers().size(); row++) {
      order.add(requests.server(row));
    }
    return order.stream()
        .map(requests.servers()::get)
        .map(name -> new Server(name, tierOf(name), List.of()))
        .toList();
  }

  /** {@code app} for {@code app12}. */
  private static String tierOf(String name) {
    String tier = name.replaceFirst("[-_.]?\\d+$", "");
    return tier.isEmpty() ? name : tier;
  }

  private static String lowerCaseName(Path file) {
    return file.getFileName().toString().toLowerCase(Locale.ROOT);
  }

  private interface Reading<T> {
    T from(Path file) throws IOException;
  }

  /** The writing of a file. */
  interface Writing {
    void to(Path file) throws IOException;
  }

  private static <T> T reading(Path file, Reading<T> reading) {
    if (!Files.isRegularFile(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + ": there is no such file; expected a table of requests, samples or events");
    }
    return reading(file.toString(), () -> reading.from(file));
  }

  /** The reading of bytes that were opened before. */
  interface Opened<T> {
    T read() throws IOException;
  }

  static <T> T reading(String file, Opened<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw unreadable(file, String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      // The Parquet library answers damage with unchecked exceptions of many kinds.
      throw unreadable(file, "it is damaged (" + e + ")", e);
    } catch (OutOfMemoryError e) {
      // The library allocates whatever length a damaged header claims, and lets go of all it read.
      throw unreadable(
          file,
          "it asks for more memory than this process has; either it is damaged, or the process"
              + " needs a larger heap (-Xmx)",
          e);
    }
  }

  private static <R> List<R> readingRows(Path file, ParquetTable<R> table) {
    List<R> rows = new ArrayList<>();
    return reading(
        file,
        path -> {
          table.read(path, rows::add);
          return rows;
        });
  }

  private static <R> List<R> readingRows(
      SeekableByteChannel bytes, String name, ParquetTable<R> table) {
    List<R> rows = new ArrayList<>();
    return reading(
        name,
        () -> {
          table.read(bytes, rows::add);
          return rows;
        });
  }

  private static TerraceException unreadable(String file, String why, Throwable cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT, file + ": " + why + ". Correct the file, or write it again.", cause);
  }

  static void writing(Path file, Writing writing) {
    try {
      writing.to(file);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          file
              + ": it cannot be written: "
              + e.getMessage()
              + ". Free space or choose another --out.",
          e);
    }
  }
}
