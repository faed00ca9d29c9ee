package org.terrace.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Server;

/**
 * Names and tiers of servers by their addresses, in YAML: {@code app1: {tier: app, addresses:
 * ['10.0.0.5:8080']}}.
 */
public final class TiersFile {
  private static final String TIER = "tier";
  private static final String ADDRESSES = "addresses";
  private static final String FORM = "app1: {tier: app, addresses: ['10.0.0.5:8080']}";

  private final Path file;

  private TiersFile(Path file) {
    this.file = file;
  }

  public static List<Server> read(Path file) {
    return new TiersFile(file).servers();
  }

  private List<Server> servers() {
    if (!(parsed() instanceof Map<?, ?> entries)) {
      throw wrong("it is no table of servers");
    }
    List<Server> servers = new ArrayList<>();
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      servers.add(server(String.valueOf(entry.getKey()), entry.getValue()));
    }
    return servers;
  }

  private Server server(String name, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> fields)) {
      throw wrong("server '" + name + "' has no fields");
    }
    for (Object field : fields.keySet()) {
      if (!TIER.equals(field) && !ADDRESSES.equals(field)) {
        throw wrong("server '" + name + "' has the unknown field '" + field + "'");
      }
    }
    if (!(fields.get(TIER) instanceof String tier)) {
      throw wrong("server '" + name + "' has no tier");
    }
    if (!(fields.get(ADDRESSES) instanceof List<?> addresses) || addresses.isEmpty()) {
      throw wrong("server '" + name + "' has no list of addresses");
    }
    return new Server(name, tier, addresses.stream().map(String::valueOf).toList());
  }

  private @Nullable Object parsed() {
    try {
      return new Load(LoadSettings.builder().setLabel(file.toString()).build())
          .loadFromString(Files.readString(file));
    } catch (IOException e) {
      throw wrong("it cannot be read (" + e.getMessage() + ")");
    } catch (YamlEngineException e) {
      throw wrong("it is not YAML: " + e.getMessage());
    }
  }

  private TerraceException wrong(String what) {
    return new TerraceException(
        ErrorCode.BAD_INPUT, "--tiers " + file + ": " + what + "; expected for example " + FORM);
  }
}
