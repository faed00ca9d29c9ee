package org.terrace.experiment;

import org.terrace.nodes.fault.FaultText;
import org.terrace.observation.Event;
import org.terrace.observation.Server;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the description of a trial, without its tables. Stateless. */
final class TrialFile {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private TrialFile() {}

  static void write(Trial trial) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", "terrace-trial/1");
    root.put("name", trial.experiment().name());
    root.put("topology", trial.experiment().topology().toString());
    root.put("specification", Trial.SPECIFICATION_FILE);
    ArrayNode servers = root.putArray("servers");
    for (Server server : trial.servers()) {
      ObjectNode node = servers.addObject().put("name", server.name()).put("tier", server.tier());
      ArrayNode addresses = node.putArray("addresses");
      server.addresses().forEach(addresses::add);
    }
    if (!trial.captures().isEmpty()) {
      put(root.putObject("capture"), trial, trial.captures().getFirst());
    }
    if (trial.captures().size() > 1) {
      ArrayNode captures = root.putArray("captures");
      trial
          .captures()
          .forEach(
              capture -> put(captures.addObject().put("point", capture.point()), trial, capture));
    }
    ArrayNode planned = root.putArray("faults");
    trial.experiment().faults().forEach(fault -> planned.add(FaultText.of(fault)));
    root.put("clientRequests", trial.clientRequests().size());
    root.put("samples", trial.samples().size());
    ArrayNode events = root.putArray("events");
    trial.events().stream().filter(TrialFile::isNoted).forEach(event -> add(events, event));
    root.put("allEvents", trial.events().size());
    ArrayNode validity = root.putArray("validity");
    for (ValidityCheck check : trial.validity()) {
      validity
          .addObject()
          .put("check", check.check())
          .put("passed", check.passed())
          .put("detail", check.detail());
    }
    trial
        .turn()
        .ifPresent(turn ->
            root.putObject("sharedServers")
                .put("turn", turn.number())
                .put("rowsAtStart", turn.rowsAtStart())
                .put("rowsBefore", turn.rowsBefore())
                .put("rowsWritten", turn.rowsWritten()));
    ObjectNode machine = root.putObject("machine");
    trial.machine().forEach(machine::put);
    ObjectNode versions = root.putObject("versions");
    trial.versions().forEach(versions::put);
    ResultFolder.write(
        trial.directory().resolve(Trial.FILE), MAPPER.writeValueAsString(root) + "\n");
  }

  private static void put(ObjectNode node, Trial trial, Trial.CaptureFile capture) {
    node.put("file", trial.directory().relativize(capture.file()).toString())
        .put("packets", capture.packets())
        .put("bytes", capture.bytes())
        .put("droppedPackets", capture.droppedPackets());
  }

  /** Phases and faults are few and tell what the trial was; the rest is in the events table. */
  private static boolean isNoted(Event event) {
    return event.kind().startsWith("phase-") || event.kind().startsWith("fault-");
  }

  private static void add(ArrayNode events, Event event) {
    ObjectNode node =
        events
            .addObject()
            .put("node", event.node())
            .put("kind", event.kind())
            .put("startNanos", event.startNanos())
            .put("endNanos", event.endNanos());
    ObjectNode attributes = node.putObject("attributes");
    event.attributes().forEach(attributes::put);
  }
}
