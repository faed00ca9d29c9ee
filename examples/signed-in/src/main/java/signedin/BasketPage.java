package signedin;

import jakarta.servlet.http.HttpSession;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** The page of a visitor's basket, which lies in the HTTP session. */
@RestController
class BasketPage {
  private static final String BASKET = "basket";

  /** The page, with a form to put more into the basket. */
  @GetMapping(path = "/basket", produces = "text/html;charset=UTF-8")
  String show(Principal visitor, HttpSession session, CsrfToken token) {
    StringBuilder page = new StringBuilder("<h1>Basket of " + visitor.getName() + "</h1><ul>");
    for (String item : basketOf(session)) {
      page.append("<li>").append(HtmlUtils.htmlEscape(item)).append("</li>");
    }
    return page.append("</ul><form method='post'><input name='item'>")
        .append("<input type='hidden' name='_csrf' value='" + token.getToken() + "'></form>")
        .toString();
  }

  /** Puts something into the basket; when this is answered, every server has it. */
  @PostMapping(path = "/basket", produces = "text/plain;charset=UTF-8")
  String add(@RequestParam("item") String item, HttpSession session) {
    List<String> basket = basketOf(session);
    basket.add(item);
    session.setAttribute(BASKET, basket); // what was changed is said, as always in Spring Session
    return "in the basket: " + item;
  }

  @SuppressWarnings("unchecked")
  private static List<String> basketOf(HttpSession session) {
    Object basket = session.getAttribute(BASKET);
    return basket == null ? new ArrayList<>() : (List<String>) basket;
  }
}
