package org.terrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;

/**
 * A binder of metrics to Micrometer: a gauge or a counter for each, named {@code
 * terrace.PART.figure.in.words} with the tag {@code member}. Immutable and thread-safe.
 *
 * <p>The registry keeps the part as long as its meters.
 *
 * @param metrics the metrics to be bound
 */
public record MicrometerMetrics(MetricSet metrics) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    Tags tags = Tags.of("member", metrics.member());
    for (RuntimeMetric metric : metrics.metrics()) {
      String name = nameOf(metric);
      switch (metric.kind()) {
        case GAUGE ->
            Gauge.builder(name, metric, RuntimeMetric::value)
                .description(metric.description())
                .tags(tags)
                .strongReference(true)
                .register(registry);
        case COUNTER ->
            // The registry holds the source of a counter weakly; its function holds it for good.
            FunctionCounter.builder(name, metric, same -> metric.value())
                .description(metric.description())
                .tags(tags)
                .register(registry);
      }
    }
  }

  private String nameOf(RuntimeMetric metric) {
    String words = metric.name().replaceAll("(?<=[a-z])(?=[A-Z])", ".").toLowerCase(Locale.ROOT);
    return "terrace." + metrics.part() + "." + words;
  }
}
