import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The bill of materials of a folder of jars, as CycloneDX 1.6 in JSON: every library once, with its
 * digest and all places where it lies, and the Java that runs them. {@code tools/release-archive} runs it on what it packs.
 */
final class BillOfMaterials {
  private static final Pattern FILE = Pattern.compile("(.+?)-(\\d[\\w.-]*)\\.jar");

  private record Coordinates(String group, String name, String version) {}

  private record Library(Coordinates coordinates, String digest, List<String> places) {}

  /** The arguments are the folder and the version of what lies in it. */
  public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
    Path folder = Path.of(arguments[0]);
    Map<String, Library> libraries = new TreeMap<>();
    for (Path jar : jars(folder)) {
      String place = folder.relativize(jar).toString();
      String digest =
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
      libraries.values().stream()
          .filter(library -> library.digest().equals(digest))
          .findFirst()
          .orElseGet(() -> {
            Library library = new Library(coordinates(jar), digest, new ArrayList<>());
            libraries.put(place, library);
            return library;
          })
          .places()
          .add(place);
    }
    System.out.println(
        """
        {
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "version": 1,
          "metadata": {"component": {"type": "application", "name": "terrace", "version": "%s"}},
          "components": [
            {"type": "platform", "name": "Java", "version": "%s"},
        %s
          ]
        }"""
            .formatted(
                arguments[1],
                System.getProperty("java.runtime.version"),
                libraries.values().stream()
                    .map(BillOfMaterials::toJson)
                    .collect(Collectors.joining(",\n"))));
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /**
   * The coordinates that Maven wrote into the jar; of one that holds several or none, its file's
   * name.
   */
  private static Coordinates coordinates(Path jar) {
    String file = jar.getFileName().toString();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom\\.properties")) {
          Properties properties = new Properties();
          try (InputStream in = zip.getInputStream(entry)) {
            properties.load(in);
          }
          String name = properties.getProperty("artifactId", "");
          String version = properties.getProperty("version", "");
          if (file.startsWith(name + "-" + version)) {
            return new Coordinates(properties.getProperty("groupId", ""), name, version);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(jar + " cannot be read: " + e.getMessage(), e);
    }
    Matcher named = FILE.matcher(file);
    return named.matches()
        ? new Coordinates("", named.group(1), named.group(2))
        : new Coordinates("", file.replace(".jar", ""), "");
  }

  private static String toJson(Library library) {
    Coordinates coordinates = library.coordinates();
    List<String> fields = new ArrayList<>(List.of(field("type", "library")));
    if (!coordinates.group().isEmpty()) {
      fields.add(field("group", coordinates.group()));
      fields.add(
          field(
              "purl",
              "pkg:maven/%s/%s@%s"
                  .formatted(coordinates.group(), coordinates.name(), coordinates.version())));
    }
    fields.add(field("name", coordinates.name()));
    if (!coordinates.version().isEmpty()) {
      fields.add(field("version", coordinates.version()));
    }
    fields.add(
        "\"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"%s\"}]".formatted(library.digest()));
    fields.add(
        "\"evidence\": {\"occurrences\": [%s]}"
            .formatted(
                library.places().stream()
                    .map(place -> "{" + field("location", place) + "}")
                    .collect(Collectors.joining(", "))));
    return "    {" + String.join(", ", fields) + "}";
  }

  /** Names of files and of artefacts hold nothing that JSON would have escaped. */
  private static String field(String name, String value) {
    return "\"%s\": \"%s\"".formatted(name, value);
  }
}
