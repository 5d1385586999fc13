print("The sandbox runs Node scripts only")
