package org.terrace.load;

import org.terrace.load.mix.WeightedRequest;
import org.terrace.load.page.Link;

/** The links of requests of a mix of one's own. Stateless. */
final class RequestLink {
  private RequestLink() {}

  static Link of(WeightedRequest request) {
    StringBuilder headers = new StringBuilder();
    request
        .headers()
        .forEach((name, value) -> headers.append(name).append(": ").append(value).append("\r\n"));
    if (!request.hasHeader("Accept")) {
      headers.append("Accept: */*\r\n");
    }
    return new Link(request.method(), request.path(), request.body(), headers.toString());
  }
}
