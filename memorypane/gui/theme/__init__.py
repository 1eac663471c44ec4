"""How everything looks: tokens, colours, fonts, icons, painting, the common widgets."""
