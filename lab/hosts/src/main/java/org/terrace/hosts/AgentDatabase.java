package org.terrace.hosts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.nodes.Signal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A database server on a host with an agent. Confined to one thread. */
record AgentDatabase(AgentConnection connection, int number) implements DatabaseServer {
  /** The time that filling a database may take: a copy of one is no faster than its disk. */
  private static final Duration WITHIN = Duration.ofMinutes(30);

  private JsonNode call(String what) {
    return call(what, "");
  }

  private JsonNode call(String what, String dataSet) {
    ObjectNode with = AgentMessages.JSON.createObjectNode();
    with.put("number", number).put("what", what).put("dataSet", dataSet);
    return connection.call("of-database", with, WITHIN);
  }

  @Override
  public void initialise() {
    var _ = call("initialise");
  }

  @Override
  public boolean initialise(String dataSet) {
    return call("copy", dataSet).asBoolean();
  }

  @Override
  public void keepAs(String dataSet) {
    var _ = call("keep", dataSet);
  }

  @Override
  public void start() {
    var _ = call("start");
  }

  @Override
  public void stop() {
    var _ = call("stop");
  }

  @Override
  public List<String> command() {
    List<String> words = new ArrayList<>();
    call("command").forEach(word -> words.add(word.asString()));
    return words;
  }

  @Override
  public Signal stopSignal() {
    return Signal.valueOf(call("stop-signal").asString());
  }

  @Override
  public boolean isReady() {
    return call("ready").asBoolean();
  }

  @Override
  public String jdbcUrl() {
    return call("url").asString();
  }

  @Override
  public void close() {
    var _ = call("close");
  }
}
